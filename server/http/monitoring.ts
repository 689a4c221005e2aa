import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Config } from '../config';
import type { Db } from '../db/client';
import type { ErrorSink } from '../drivers/errorSink';
import { addressGroup } from '../domain/address';
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
 * admin area; of what was passed on it keeps that it was. Mounted before authentication and JSON parsing: a page that failed may have neither.
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
    const within = await limiter.consume(addressGroup(req.ip ?? '')).catch(() => null);
    if (!within) return void res.status(429).set('Retry-After', '60').end();
    const envelope = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    if (!looksLikeEnvelope(envelope)) return refuse(400, 'The body is not an envelope.');
    if (!sink) {
      await keep(db, o, p, envelope, 'kept');
      return void res.status(200).json({});
    }
    if (!config.sentryAllowed.some((pair) => pair.org === o && pair.project === p))
      return refuse(403, 'This organisation and project are not configured here.');
    try {
      await sink.forward({ org: o, project: p, region: typeof r === 'string' ? r : null }, envelope);
    } catch (error) {
      log.warn({ err: error }, 'an error report could not be forwarded and is kept here');
      await keep(db, o, p, envelope, 'failed', error instanceof Error ? error.message : String(error));
      return void res.status(200).json({});
    }
    await keep(db, o, p, envelope, 'forwarded');
    res.status(200).json({});
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

async function keep(
  db: Db,
  organization: string,
  project: string,
  envelope: Buffer,
  destination: 'kept' | 'forwarded' | 'failed',
  last_error: string | null = null,
): Promise<void> {
  const lines = envelope.toString('utf8').split('\n', 3);
  const item = parseLine(lines[1] ?? '') ?? {};
  const payload = parseLine(lines[2] ?? '') ?? {};
  const exception = child(child(child(payload, 'exception'), 'values'), '0');
  const message =
    textOf(exception, 'type') === ''
      ? textOf(payload, 'message') || textOf(payload, 'transaction')
      : `${textOf(exception, 'type')}: ${textOf(exception, 'value')}`;
  await db
    .insertInto('monitoring_events')
    .values({
      organization,
      project,
      kind: textOf(item, 'type').slice(0, 40) || 'unknown',
      message: message.slice(0, 500),
      environment: textOf(payload, 'environment').slice(0, 64) || null,
      release: textOf(payload, 'release').slice(0, 64) || null,
      destination,
      last_error: last_error?.slice(0, 500) ?? null,
      // What the service has is not kept twice.
      envelope: destination === 'forwarded' ? '' : envelope.toString('utf8').replaceAll('\u0000', ''),
    })
    .execute();
}

/** Anybody sends these: nothing in them is of the type it should be before it was looked at. */
function child(of: unknown, key: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, key)
    ? (of as Record<string, unknown>)[key]
    : undefined;
}

function textOf(of: unknown, key: string): string {
  const value = child(of, key);
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : '';
}
