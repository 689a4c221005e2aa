import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { withoutTokens } from '../domain/token';
import type { Metrics } from './metrics';

/** Gives every request an id (kept from a proxy when it looks like one), a logger and, at its end, one log line. */
export function requestLog(log: Logger, metrics: Metrics): RequestHandler {
  return (req, res, next) => {
    const given = req.get('x-request-id');
    const request_id =
      given && /^[\w.-]{8,64}$/.test(given) ? given : `req_${randomBytes(9).toString('base64url')}`;
    res.locals.request_id = request_id;
    res.setHeader('X-Request-Id', request_id);
    const requestLogger = log.child({ request_id });
    res.locals.log = requestLogger;
    const began = process.hrtime.bigint();
    res.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      const operation = String(res.locals.operation_id ?? '');
      metrics.observe(operation || 'other', req.method, res.statusCode, seconds);
      const level = res.statusCode >= 500 ? 'error' : operation ? 'info' : 'debug';
      // The path only: query strings may carry signed log addresses or search text.
      requestLogger[level](
        {
          method: req.method,
          path: withoutTokens(req.path),
          status: res.statusCode,
          ms: Math.round(seconds * 1e4) / 10,
          operation: operation || undefined,
          aborted: !res.writableFinished || undefined,
        },
        'request',
      );
    });
    next();
  };
}
