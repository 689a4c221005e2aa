import type { ErrorRequestHandler, Response } from 'express';
import { AiError, gatewayFailure } from '../../domain/ai/aiError';
import { DATABASE_RETRY_SECONDS, isDatabaseUnavailable } from '../../db/core/unavailable';
import type { Services } from '../../operations/types';

interface Answered {
  /** Maximum body size, as text. */
  most: string;
  /** For the log. */
  failed: string;
}

/** Sends errors in the shape that OpenAI clients parse, with retry information. */
export const aiErrors =
  ({ log }: Pick<Services, 'log'>, answered: Answered): ErrorRequestHandler =>
  (error: unknown, _req, res: Response, next) => {
    if (res.headersSent) return next(error);
    const known = error instanceof AiError ? error : requestError(error, answered);
    // All requests fail for the same reason until the database is back.
    if (isDatabaseUnavailable(known.cause)) log.warn({ reason: String(known.cause) }, answered.failed);
    else if (known.status >= 500) log.error({ err: known }, answered.failed);
    // Errors aren't encrypted.
    for (const name of ['X-E2EE-Applied', 'X-E2EE-Version', 'X-E2EE-Algo']) res.removeHeader(name);
    res.set(known.headers);
    if (known.retryAfter !== null) res.setHeader('Retry-After', String(known.retryAfter));
    // OpenAI clients retry 5xx unless this is false.
    if (!known.retry) res.setHeader('X-Should-Retry', 'false');
    res.status(known.status).type('json').send(known.bytes);
  };

/** Errors from the router and the body parser, and unexpected ones. */
function requestError(error: unknown, { most }: Answered): AiError {
  const { type, status } = (error ?? {}) as { type?: unknown; status?: unknown };
  if (error instanceof URIError && status === 400)
    return new AiError(400, 'invalid_request_error', null, 'The URL is not percent-encoded correctly.');
  if (type === 'entity.too.large')
    return new AiError(413, 'invalid_request_error', 'request_too_large', `The body is larger than ${most}.`);
  if (typeof type === 'string' && typeof status === 'number' && status < 500)
    return new AiError(
      400,
      'invalid_request_error',
      null,
      type === 'entity.parse.failed' ? 'The body is not valid JSON.' : 'The body could not be read.',
    );
  return unexpected(error);
}

/** Errors of this server: its database is temporarily away, or it failed. */
export const unexpected = (error: unknown): AiError =>
  isDatabaseUnavailable(error)
    ? new AiError(
        503,
        'server_error',
        'database_unavailable',
        "The gateway's database isn't available at the moment.",
        {
          retryAfter: DATABASE_RETRY_SECONDS,
          cause: error,
        },
      )
    : gatewayFailure(error);
