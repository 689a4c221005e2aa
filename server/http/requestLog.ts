import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { operations } from '../../generated/api/operations.gen';
import { ownValue } from '../../console/lib/ownValue';
import { fewRandomBytes } from '../domain/core/random';
import { withoutTokens } from '../domain/teams/token';
import { inSpan, type Tracing } from '../drivers/tracing';
import type { Metrics } from './metrics/metrics';

/** Printable ASCII, bounded: callers can add it to every log line of their request. */
const CALLER_REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

export const newRequestId = () => `req_${fewRandomBytes(9).toString('base64url')}`;

/**
 * Assigns every request an ID, a logger and, at its end, one log line and one span. Audit entries and events
 * carry this ID, so a caller can't choose it; a caller's own ID is logged as `caller_request_id`. Continues the
 * caller's trace.
 */
export function requestLog(log: Logger, metrics: Metrics, tracing: Tracing | null = null): RequestHandler {
  return (req, res, next) => {
    const given = req.get('x-request-id');
    const caller_request_id =
      given !== undefined && CALLER_REQUEST_ID.test(given) ? withoutTokens(given) : undefined;
    const request_id = newRequestId();
    res.locals.request_id = request_id;
    res.setHeader('X-Request-Id', request_id);
    const span = tracing?.start(req.method, {
      kind: 'server',
      parent: req.get('traceparent'),
      attributes: { 'http.request.method': req.method, 'teehouse.request_id': request_id },
    });
    const requestLogger = log.child({
      request_id,
      ...(span ? { trace_id: span.trace_id } : {}),
      ...(caller_request_id === undefined ? {} : { caller_request_id }),
    });
    res.locals.log = requestLogger;
    const began = process.hrtime.bigint();
    res.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      const operation = String(res.locals.operation_id ?? '');
      metrics.observe(operation || 'other', req.method, res.statusCode, seconds);
      const isOurs = res.statusCode >= 500 && res.locals.is_external !== true;
      // A database outage is logged separately with its reason: one event, however many requests it fails.
      const isOutage = res.locals.is_outage === true;
      const level = isOutage ? 'warn' : isOurs ? 'error' : operation ? 'info' : 'debug';
      // Path only: query strings may carry signed log addresses or search text.
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
      const route = routeOf(req, operation);
      span?.end({
        name: route === undefined ? req.method : `${req.method} ${route}`,
        attributes: {
          'http.route': route,
          'http.response.status_code': res.statusCode,
          'teehouse.operation': operation || undefined,
          'teehouse.aborted': !res.writableFinished || undefined,
        },
        is_error: isOurs,
      });
    });
    inSpan(span, next);
  };
}

/** The template that matched, never the path: paths of links and log URLs carry tokens. */
function routeOf(req: Request, operation: string): string | undefined {
  const spec = ownValue(operations, operation);
  if (spec) return `/api/v1${spec.path}`;
  const { path } = (req.route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : undefined;
}
