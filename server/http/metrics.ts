import type { Express, Request } from 'express';
import { sql } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../db/core/client';
import { LIVE_OPERATION } from '../../console/lib/cvms/allowedActions';
import { isIn } from '../db/core/states';

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

/** Fleet figures, read from the database on each scrape. */
function fleetGauges(registry: Registry, db: Db) {
  const gauge = (
    name: string,
    help: string,
    label: string,
    query: ReturnType<typeof sql<{ label: string; count: number }>>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        this.reset();
        const { rows } = await query.execute(db);
        for (const row of rows) this.set({ [label]: row.label }, row.count);
      },
    });
  gauge(
    'teehouse_cvms',
    'CVMs by status.',
    'status',
    sql`select status as label, count(*)::int as count from cvms where deleted_at is null group by 1`,
  );
  gauge(
    'teehouse_operations_live',
    'Unfinished operations, by state.',
    'state',
    sql`select state as label, count(*)::int as count from operations where ${isIn('state', LIVE_OPERATION)} group by 1`,
  );
  gauge(
    'teehouse_teepods',
    'TEE hosts by state and reachability.',
    'state',
    sql`select case when reachable then state else state || '_unreachable' end as label, count(*)::int as count from teepods group by 1`,
  );
  gauge(
    'teehouse_host_shards',
    'Shards of hosts, by whether a worker has them. The hosts of a free one are not asked.',
    'state',
    sql`select case when lease_until >= now() then 'held' else 'free' end as label, count(*)::int as count from host_shards group by 1`,
  );
  new Counter({
    name: 'teehouse_runs_cut_short_total',
    help: 'Runs of periodic tasks that ended at a limit and left hosts for the next one, by task.',
    labelNames: ['task'],
    registers: [registry],
    // Kept in the database, where every worker adds its own.
    async collect() {
      this.reset();
      const rows = await db.selectFrom('schedule_runs').select(['id', 'cut_short']).execute();
      for (const { id, cut_short } of rows) this.inc({ task: id }, cut_short);
    },
  });
}

/** `/metrics` in the Prometheus text format. Served to this machine only, because it reveals fleet activity. */
export function mountMetrics(app: Express, metrics: Metrics, db: Db): void {
  fleetGauges(metrics.registry, db);
  app.get('/metrics', async (req, res) => {
    if (!isLocal(req)) {
      res
        .status(403)
        .type('text/plain')
        .send('Metrics are served to this machine only. Scrape 127.0.0.1, not through the proxy.\n');
      return;
    }
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/** Returns whether the peer is on this machine and isn't a proxy forwarding another client. */
function isLocal(req: Request): boolean {
  const peer = req.socket.remoteAddress ?? '';
  const loopback = peer === '::1' || peer.startsWith('127.') || peer.startsWith('::ffff:127.');
  return loopback && req.get('x-forwarded-for') === undefined && req.get('forwarded') === undefined;
}
