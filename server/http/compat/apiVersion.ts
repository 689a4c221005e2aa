import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { VERSION_HEADER } from '../../../console/lib/apiVersion';
import { sendProblem } from '../errors';
import { DEFAULT_VERSION, versionNamed, type ApiVersion } from './versions';

/** Reads the version a request asks for, names it in the response, and rejects an unknown one. */
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

function setVersion(res: Response, version: ApiVersion) {
  res.locals.api_version = version;
  res.setHeader(VERSION_HEADER, version);
}

/** Returns the version of a response. */
export const versionOf = (res: Response): ApiVersion => res.locals.api_version as ApiVersion;
