import { request } from 'undici';
import type { ErrorSink } from './index';

/** Forwards to the host of the configured DSN, or to Sentry's own host of the organisation and region. */
export function sentrySink(dsn: string): ErrorSink {
  const base = new URL(dsn);
  return {
    async forward({ org, project, region }, envelope) {
      const hosted = base.hostname.endsWith('.sentry.io');
      const host = hosted ? `o${org}.ingest.${region ? `${region}.` : ''}sentry.io` : base.host;
      const reply = await request(
        `${base.protocol}//${host}/api/${project}/envelope/?sentry_key=${encodeURIComponent(base.username)}&sentry_version=7`,
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
        throw new Error(`the error-reporting service answered ${reply.statusCode}`);
    },
  };
}
