import { createHash, timingSafeEqual } from 'node:crypto';
import type { Express, Request } from 'express';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Db } from '../../db/core/client';
import { retryCounts } from '../../db/core/retries';
import type { Tracing } from '../../drivers/tracing';
import { addInstallationMetrics } from './installationMetrics';

export interface Metrics {
  observe(operation: string, method: string, status: number, seconds: number): void;
  readonly registry: Registry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'teehouse_' });
  const duration = new Histogram({
    name: 'teehouse_http_request_duration_seconds',
    help: "Time from a request's first byte to the end of its reply, by operation.",
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    registry,
    observe: (operation, method, status, seconds) =>
      duration.observe({ operation, method, status: String(status) }, seconds),
  };
}

interface MountOptions {
  db: Db;
  /** Allows reading metrics from anywhere (METRICS_TOKEN). */
  token: string | undefined;
  /** Null if nothing is traced. */
  tracing: Tracing | null;
}

/** `/metrics` in the Prometheus text format, for this machine and token holders only: it reveals fleet activity. */
export function mountMetrics(app: Express, metrics: Metrics, { db, token, tracing }: MountOptions): void {
  addInstallationMetrics(metrics.registry, db);
  addRetryMetrics(metrics.registry);
  if (tracing) addTraceMetrics(metrics.registry, tracing);
  app.get('/metrics', async (req, res) => {
    if (!isLocal(req) && !hasToken(req, token)) {
      res
        .status(403)
        .type('text/plain')
        .send(
          token === undefined
            ? 'Metrics are served to this machine only. Scrape 127.0.0.1, not through the proxy, or set METRICS_TOKEN.\n'
            : 'Send the METRICS_TOKEN as a bearer token.\n',
        );
      return;
    }
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

function addRetryMetrics(registry: Registry): void {
  new Counter({
    name: 'teehouse_transaction_retries_total',
    help: 'Transactions that this process retried after a conflict, by SQLSTATE: 40P01 for deadlocks, 40001 for serialization failures.',
    labelNames: ['sqlstate'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [sqlstate, retries] of retryCounts()) this.inc({ sqlstate }, retries);
    },
  });
}

function addTraceMetrics(registry: Registry, tracing: Tracing): void {
  new Counter({
    name: 'teehouse_trace_spans_total',
    help: 'Finished spans of this process: exported, failed (the collector did not accept them) or dropped (too many were waiting).',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [result, spans] of Object.entries(tracing.counts())) this.inc({ result }, spans);
    },
  });
}

/** Returns whether the peer is on this machine and isn't a proxy forwarding another client. */
function isLocal(req: Request): boolean {
  const peer = req.socket.remoteAddress ?? '';
  const loopback = peer === '::1' || peer.startsWith('127.') || peer.startsWith('::ffff:127.');
  return loopback && req.get('x-forwarded-for') === undefined && req.get('forwarded') === undefined;
}

/** Compares hashes, which have equal lengths, in constant time. */
function hasToken(req: Request, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/i.exec(req.get('authorization') ?? '')?.[1];
  if (token === undefined || given === undefined) return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
