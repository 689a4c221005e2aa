import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { VERSION_HEADER } from '../../../console/lib/apiVersion';
import { sendProblem } from '../errors';
import { DEFAULT_VERSION, VERSIONS, versionNamed, type ApiVersion } from './versions';

/** Reads a request's version, sets it on the response, and rejects an unknown one. */
export function apiVersion(log: Logger): RequestHandler {
  return (req, res, next) => {
    try {
      setVersion(res, versionNamed(req.get(VERSION_HEADER)));
    } catch (error) {
      setVersion(res, DEFAULT_VERSION);
      return sendProblem(res, error, log);
    }
    next();
  };
}

/** Sets a response's version and its header. */
export function setVersion(res: Response, version: ApiVersion) {
  res.locals.api_version = version;
  res.setHeader(VERSION_HEADER, version);
}

/** Applies the default version of the caller's token, if the request has none. */
export function applyDefaultVersion(req: Request, res: Response, of_token: string | null | undefined): void {
  if (req.get(VERSION_HEADER) !== undefined) return;
  const version = VERSIONS.find((known) => known === of_token);
  if (version) setVersion(res, version);
}

/** Returns the version of a response. */
export const versionOf = (res: Response): ApiVersion => res.locals.api_version as ApiVersion;
