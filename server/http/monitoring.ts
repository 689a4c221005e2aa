import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Config } from '../config';
import type { Db } from '../db/client';
import type { ErrorSink } from '../drivers/errorSink';
import { SENTRY_REGIONS } from '../domain/sentryRegions';

export interface MonitoringOptions {
  config: Pick<Config, 'sentryDsn' | 'sentryAllowed'>;
  sink: ErrorSink | null;
  db: Db;
  log: Logger;
}

const MAX_BYTES = 512 * 1024;

/**
 * The same-origin tunnel of error and trace envelopes (specification §7): `POST /monitoring?o&p[&r]`. With a service
 * configured only allow-listed organisation/project pairs pass; with none the envelopes are kept here, readable in the
 * admin area. Mounted before authentication and JSON parsing: a page that failed may have neither.
 */
export function mountMonitoring(app: Express, { config, sink, db, log }: MonitoringOptions): void {
  const limiter = new RateLimiterMemory({ points: 120, duration: 60 });
  app.post('/monitoring', express.raw({ type: () => true, limit: MAX_BYTES }), async (req, res) => {
    const { o, p, r } = req.query;
    const refuse = (status: number, message: string) =>
      void res.status(status).type('text/plain').send(`${message}\n`);
    if (!isDigits(o) || !isDigits(p))
      return refuse(400, 'o and p must be the digits of an organisation and a project.');
    if (r !== undefined && !SENTRY_REGIONS.some((region) => region === r))
      return refuse(400, `r must be one of ${SENTRY_REGIONS.join(', ')}.`);
    const within = await limiter.consume(req.ip ?? '').catch(() => null);
    if (!within) return void res.status(429).set('Retry-After', '60').end();
    const envelope = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    if (!looksLikeEnvelope(envelope)) return refuse(400, 'The body is not an envelope.');
    if (!sink) {
      await keep(db, o, p, envelope);
      return void res.status(200).json({});
    }
    if (!config.sentryAllowed.some((pair) => pair.org === o && pair.project === p))
      return refuse(403, 'This organisation and project are not configured here.');
    try {
      await sink.forward({ org: o, project: p, region: typeof r === 'string' ? r : null }, envelope);
      res.status(200).json({});
    } catch (error) {
      log.warn({ err: error }, 'an error report could not be forwarded and is kept here');
      await keep(db, o, p, envelope);
      res.status(200).json({});
    }
  });
}

const isDigits = (value: unknown): value is string => typeof value === 'string' && /^\d{1,20}$/.test(value);

function looksLikeEnvelope(envelope: Buffer): boolean {
  return parseLine(envelope.toString('utf8').split('\n', 1)[0] ?? '') !== null;
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return value && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

async function keep(db: Db, organization: string, project: string, envelope: Buffer): Promise<void> {
  const text = envelope.toString('utf8').replaceAll('\u0000', '');
  const lines = text.split('\n');
  const item = parseLine(lines[1] ?? '');
  const payload = parseLine(lines[2] ?? '') ?? {};
  const exception = (payload.exception as { values?: { type?: string; value?: string }[] } | undefined)
    ?.values?.[0];
  const message = exception
    ? `${exception.type ?? 'Error'}: ${exception.value ?? ''}`
    : String(payload.message ?? payload.transaction ?? '');
  await db
    .insertInto('monitoring_events')
    .values({
      organization,
      project,
      kind: String(item?.type ?? 'unknown').slice(0, 40),
      message: message.slice(0, 500),
      environment: typeof payload.environment === 'string' ? payload.environment.slice(0, 64) : null,
      release: typeof payload.release === 'string' ? payload.release.slice(0, 64) : null,
      envelope: text,
    })
    .execute();
}
