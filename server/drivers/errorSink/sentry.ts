import { Agent, request, RetryAgent, type RetryHandler } from 'undici';
import { dsnParts } from '../../../console/lib/monitoring/scrub';
import type { ErrorSink } from './index';

/**
 * A service may close an idle connection just as a report is sent on it. Repeating is safe: services recognize a report
 * by its ID.
 */
const RETRY: RetryHandler.RetryOptions = {
  methods: ['POST'],
  errorCodes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
  statusCodes: [],
  maxRetries: 2,
  minTimeout: 100,
};

/** Forwards to Sentry's host for the organization and region, or to a self-hosted DSN's host. */
export function sentrySink(dsn: string): ErrorSink {
  const base = new URL(dsn);
  const isSelfHosted = dsnParts(dsn).org === '0';
  // A self-hosted service may use a path prefix: https://key@host/sentry/3
  const prefix = base.pathname.replace(/\/\d+\/?$/, '');
  const dispatcher = new RetryAgent(new Agent(), RETRY);
  return {
    async forward({ org, project, region }, envelope) {
      const root = isSelfHosted
        ? `${base.host}${prefix}`
        : `o${org}.ingest.${region ? `${region}.` : ''}sentry.io`;
      const reply = await request(
        `${base.protocol}//${root}/api/${project}/envelope/?sentry_key=${encodeURIComponent(base.username)}&sentry_version=7`,
        {
          method: 'POST',
          dispatcher,
          headers: { 'content-type': 'application/x-sentry-envelope' },
          body: envelope,
          headersTimeout: 5_000,
          bodyTimeout: 5_000,
        },
      );
      await reply.body.dump();
      if (reply.statusCode >= 400)
        throw new Error(`the error-reporting service returned ${reply.statusCode}`);
    },
  };
}
