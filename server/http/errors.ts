import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { ZodError } from 'zod';
import { cutWhole } from '../../console/lib/texts/cutWhole';
import {
  problemCodes,
  problems,
  secretFields,
  type ProblemCode,
  type ProblemName,
} from '../../generated/api/permissions.gen';
import type { Problem as ProblemBody } from '../../generated/api/types.gen';
import { CommitUnknownError } from '../db/core/client';
import { DATABASE_RETRY_SECONDS, isDatabaseUnavailable } from '../db/core/unavailable';
import { Problem } from '../domain/core/problem';
import { ownValue } from '../../console/lib/ownValue';
import { MAX_JSON_DEPTH } from '../domain/core/jsonDepth';
import { NOT_UTF8, TOO_DEEP } from './body/verifyJson';

/** One entry of a 422, in the shape that published clients read: `loc` is ["body", "name"]. */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export class ValidationProblem extends Problem {
  constructor(readonly issues: ValidationIssue[]) {
    super('VALIDATION_FAILED');
  }
}

const secret = new Set<string>(secretFields);

/** Converts zod's issues, worded by `requestTexts`. Never echoes the value itself, which may be a secret. */
export function validationProblem(where: 'body' | 'query' | 'path', error: ZodError): ValidationProblem {
  const issues = error.issues.flatMap((issue) => {
    const path = issue.path.map(locPart);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(locPart).map((key) => ({
        loc: [where, ...path, key],
        msg: `Unknown field ${key}. Remove it, or check its spelling.`,
        type: 'unknown_field',
      }));
    }
    const field = path.at(-1);
    const msg = cutWhole(sentence(issue.message, field, secret), 1000);
    return [{ loc: [where, ...path], msg, type: issue.code }];
  });
  return new ValidationProblem(issues.slice(0, 100));
}

/** Truncates a part of `loc` to the document's limit, since callers choose the names of unknown fields. */
const locPart = (part: PropertyKey) => (typeof part === 'number' ? part : cutWhole(String(part), 200));

function sentence(text: string, field: string | number | undefined, hidden: ReadonlySet<string>): string {
  if (field === undefined) return text;
  return hidden.has(String(field))
    ? `${field} is invalid: ${text.replace(/"[^"]*"/g, '…')}`
    : `${field}: ${text}`;
}

/** 409s that are temporary. Published clients retry a 409 unless its top level has an `error_code`. */
const TEMPORARY_CONFLICTS: ReadonlySet<ProblemCode> = new Set([
  problemCodes.OPERATION_IN_PROGRESS,
  problemCodes.IDEMPOTENT_REQUEST_IN_PROGRESS,
]);

/**
 * Returns an error's body. The Go SDK reads the top level, other published clients read `detail`, so both carry the
 * error.
 */
export function problemBody(problem: Problem, request_id: string): ProblemBody {
  const { code, info } = problem;
  const details =
    problem instanceof ValidationProblem ? problem.issues.map(issueDetail) : (info.details ?? []);
  // If the details name the values, generic advice to correct them is redundant.
  const isNamed = code === problemCodes.VALIDATION_FAILED && details.length > 0;
  const advice = isNamed ? '' : problems[code].what_to_do;
  const error = {
    message: problem.message,
    details,
    suggestions: info.suggestions ?? (advice ? [advice] : []),
    links: info.links ?? [],
  };
  const base = {
    code,
    type: `/docs/errors#${code}`,
    request_id,
    ...error,
    ...(TEMPORARY_CONFLICTS.has(code) ? {} : { error_code: code }),
  };
  if (problem instanceof ValidationProblem) {
    const [only, ...more] = problem.issues;
    return { ...base, message: only && more.length === 0 ? only.msg : base.message, detail: problem.issues };
  }
  if (info.device) return { ...base, detail: info.device };
  // Clients print 401 and 403 as plain strings, so these stay plain.
  if (problem.status === 401 || problem.status === 403) return { ...base, detail: problem.message };
  return { ...base, detail: { error_code: code, ...error } };
}

/** `loc` without its location: ["body", "env", 0] is `env.0`. */
function issueDetail({ loc: [where, ...path], msg }: ValidationIssue) {
  return { field: cutWhole(path.length === 0 ? String(where) : path.join('.'), 200), message: msg };
}

/** Converts anything thrown into a declared problem. Everything else is a 500, with the cause only in the log. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = error as { type?: string; status?: number; code?: string };
  const parserCode: Record<string, ProblemName> = {
    'entity.too.large': 'PAYLOAD_TOO_LARGE',
    'entity.parse.failed': 'MALFORMED_JSON',
    'encoding.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
    'charset.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
    'request.aborted': 'MALFORMED_JSON',
    'request.size.invalid': 'MALFORMED_JSON',
    [NOT_UTF8]: 'MALFORMED_JSON',
  };
  if (known.type === TOO_DEEP)
    return new Problem('MALFORMED_JSON', {
      message: `The JSON nests more than ${MAX_JSON_DEPTH} levels deep.`,
      suggestions: ['Send flatter JSON.'],
    });
  const code = known.type ? ownValue(parserCode, known.type) : undefined;
  if (code) return new Problem(code);
  if (error instanceof URIError)
    return new Problem('MALFORMED_JSON', {
      message: "The URL isn't encoded correctly.",
      suggestions: ['Encode the URL as UTF-8, and a percent sign in it as %25.'],
    });
  if (isDatabaseUnavailable(error))
    return new Problem('NOT_READY', {
      message: "The database isn't available at the moment.",
      suggestions: ['Try again in a few seconds.'],
      retryAfter: DATABASE_RETRY_SECONDS,
      cause: error,
    });
  // Not a 503: clients retry those and would repeat a change that was saved.
  if (error instanceof CommitUnknownError)
    return new Problem('INTERNAL', {
      message: 'The database connection was lost while the change was being saved.',
      suggestions: [
        'Check whether it was saved before you send it again, or send it again with the same Idempotency-Key.',
      ],
      cause: error,
    });
  return new Problem('INTERNAL', { cause: error });
}

export function sendProblem(res: Response, error: unknown, log: Logger): void {
  // The client disconnected and its work was canceled: no error, and no response.
  if (res.closed && error instanceof Error && error.name === 'AbortError') return;
  const problem = toProblem(error);
  const request_id = String(res.locals.request_id ?? '');
  if (problem.info.is_external === true) {
    // For the log line at the end of the response.
    res.locals.is_external = true;
    log.info({ problem: problem.code }, problem.message);
  } else if (isDatabaseUnavailable(problem.info.cause)) {
    // All requests fail for the same reason until the database is back.
    res.locals.is_outage = true;
    log.warn({ problem: problem.code, reason: String(problem.info.cause) }, problem.message);
  } else if (problem.status >= 500)
    log.error({ err: problem.info.cause ?? problem, problem: problem.code }, problem.message);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const retryAfter = problem.info.retryAfter ?? (TEMPORARY_CONFLICTS.has(problem.code) ? 1 : undefined);
  if (retryAfter) res.setHeader('Retry-After', String(retryAfter));
  if (problem.info.etag) res.setHeader('ETag', problem.info.etag);
  res.setHeader('Cache-Control', 'no-store');
  res.status(problem.status).json(problemBody(problem, request_id));
}

export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    const requestLog = (res.locals.log as Logger | undefined) ?? log;
    sendProblem(res, error, requestLog);
  };
}
