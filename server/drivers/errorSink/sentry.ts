import { request } from 'undici';
import { dsnParts } from '../../../console/lib/monitoring/scrub';
import type { ErrorSink } from './index';

/** Forwards to Sentry's host for the organization and region, or to a self-hosted DSN's host. */
export function sentrySink(dsn: string): ErrorSink {
  const base = new URL(dsn);
  const isSelfHosted = dsnParts(dsn).org === '0';
  // A self-hosted service may use a path prefix: https://key@host/sentry/3
  const prefix = base.pathname.replace(/\/\d+\/?$/, '');
  return {
    async forward({ org, project, region }, envelope) {
      const root = isSelfHosted
        ? `${base.host}${prefix}`
        : `o${org}.ingest.${region ? `${region}.` : ''}sentry.io`;
      const reply = await request(
        `${base.protocol}//${root}/api/${project}/envelope/?sentry_key=${encodeURIComponent(base.username)}&sentry_version=7`,
        {
          method: 'POST',
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
