import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { cutWhole } from '../../console/lib/texts/cutWhole';
import type { Config } from '../config';
import type { Db } from '../db/core/client';
import type { ErrorSink } from '../drivers/errorSink';
import { addressGroup } from '../domain/core/address';
import { SENTRY_REGIONS } from '../domain/platform/sentryRegions';
import { ownValue } from '../../console/lib/ownValue';
import { isWithin } from './connection/rateHeaders';

export interface MonitoringOptions {
  config: Pick<Config, 'sentryDsn' | 'sentryAllowed'>;
  sink: ErrorSink | null;
  db: Db;
  log: Logger;
}

const MAX_BYTES = 512 * 1024;
const MAX_ITEMS = 100;
/** Per address and minute. */
const REPORTS = { name: 'monitoring', points: 120, duration: 60 };
/** Types that both apps' reporters send: no replays, attachments, profiles or feedback. */
const ITEM_TYPES: ReadonlySet<string> = new Set(['event', 'transaction', 'client_report']);

/**
 * Same-origin tunnel for error and trace envelopes (specification §7): `POST /monitoring?o&p[&r]`. With a service
 * configured, only allowlisted organization/project pairs pass. Without one, and for `o=0&p=0`, reports are
 * stored here for the admin area and traces are dropped. Of a forwarded report, only the summary is stored.
 * Mounted before authentication and JSON parsing, because a failed page may have neither.
 */
export function mountMonitoring(app: Express, { config, sink, db, log }: MonitoringOptions): void {
  const limiter = new RateLimiterMemory(REPORTS);
  app.post('/monitoring', express.raw({ type: () => true, limit: MAX_BYTES }), async (req, res) => {
    const { o, p, r } = req.query;
    const refuse = (status: number, message: string) =>
      void res.status(status).type('text/plain').send(`${message}\n`);
    if (!isDigits(o) || !isDigits(p))
      return refuse(400, 'o and p must be the digits of an organization and a project.');
    if (r !== undefined && !SENTRY_REGIONS.some((region) => region === r))
      return refuse(400, `r must be one of ${SENTRY_REGIONS.join(', ')}.`);
    if (!(await isWithin(limiter, REPORTS, addressGroup(req.ip ?? ''), res)))
      return void res.status(429).set('Retry-After', '60').end();
    const envelope = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const types = itemTypes(envelope);
    if (types === null) return refuse(400, 'The body is not an envelope.');
    if (!types.every((type) => ITEM_TYPES.has(type)))
      return refuse(400, `Items must be one of ${[...ITEM_TYPES].join(', ')}.`);
    // Reports are worth storing; traces without a service to read them are not.
    const isReport = types.includes('event');
    // A page that never got its settings doesn't know the service.
    if (!sink || (o === '0' && p === '0')) {
      if (isReport) await keep(db, o, p, envelope, 'kept');
      return void res.status(200).json({});
    }
    if (!config.sentryAllowed.some((pair) => pair.org === o && pair.project === p))
      return refuse(403, 'This organization and project are not configured here.');
    try {
      await sink.forward({ org: o, project: p, region: typeof r === 'string' ? r : null }, envelope);
    } catch (error) {
      log.warn({ err: error }, "couldn't forward an error report; stored it locally");
      if (isReport)
        await keep(db, o, p, envelope, 'failed', error instanceof Error ? error.message : String(error));
      return void res.status(200).json({});
    }
    if (isReport) await keep(db, o, p, envelope, 'forwarded');
    res.status(200).json({});
  });
}

const isDigits = (value: unknown): value is string => typeof value === 'string' && /^\d{1,20}$/.test(value);

/**
 * Returns the type of every item in an envelope, or null if it is malformed. An item is a header line and a payload,
 * which is `length` bytes or one line (https://develop.sentry.dev/sdk/data-model/envelopes/).
 */
function itemTypes(envelope: Buffer): string[] | null {
  const endOfLine = (from: number) => {
    const end = envelope.indexOf(10, from);
    return end === -1 ? envelope.length : end;
  };
  const line = (from: number) => parseLine(envelope.toString('utf8', from, endOfLine(from)));
  if (line(0) === null) return null;
  const types: string[] = [];
  let at = endOfLine(0) + 1;
  while (at < envelope.length) {
    // Some clients end the envelope with an empty line.
    if (envelope[at] === 10) {
      at++;
      continue;
    }
    const header = line(at);
    const type = textOf(header, 'type');
    if (type === '' || types.length === MAX_ITEMS) return null;
    types.push(type);
    const start = endOfLine(at) + 1;
    const length = child(header, 'length');
    const end =
      typeof length === 'number' && Number.isInteger(length) && length >= 0
        ? start + length
        : endOfLine(start);
    if (end > envelope.length && length !== undefined) return null;
    at = end + 1;
  }
  return types;
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
      kind: cutWhole(textOf(item, 'type'), 40) || 'unknown',
      message: cutWhole(message, 500),
      environment: cutWhole(textOf(payload, 'environment'), 64) || null,
      release: cutWhole(textOf(payload, 'release'), 64) || null,
      destination,
      last_error: last_error === null ? null : cutWhole(last_error, 500),
      // Reports that the service has aren't stored twice.
      envelope: destination === 'forwarded' ? '' : envelope.toString('utf8').replaceAll('\u0000', ''),
    })
    .execute();
}

/** Anyone can send these, so every value's type must be checked before use. */
function child(of: unknown, key: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, key)
    ? ownValue(of as Record<string, unknown>, key)
    : undefined;
}

function textOf(of: unknown, key: string): string {
  const value = child(of, key);
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : '';
}
