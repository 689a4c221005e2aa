import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { createDb } from '../db/core/client';
import { rssMb } from './logHost';
import { ms, quantile, type Options, type Part, type Row } from './report';
import { seed, type Seeded } from './seed';
import { seedEvents } from './seedEvents';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

const AIM_MS = 150;

interface Ask {
  sort?: [string, 'ASC' | 'DESC'];
  filter?: Record<string, unknown>;
  first?: number;
}
const NEWEST: Ask = { sort: ['created_at', 'DESC'] };
const ANCIENT = { created_at_gte: '2026-02-01', created_at_lte: '2026-02-01' };

/** Queries from the most common to the worst case. */
const EVENTS: [string, Ask][] = [
  ['newest first', NEWEST],
  ['oldest first', { sort: ['created_at', 'ASC'] }],
  ['by kind', { sort: ['kind', 'ASC'] }],
  ['a common kind', { ...NEWEST, filter: { kind: 'host.boot.progress' } }],
  ['a rare kind', { ...NEWEST, filter: { kind: 'update.failed' } }],
  ['a kind without rows', { ...NEWEST, filter: { kind: 'no.such.kind' } }],
  ['errors', { ...NEWEST, filter: { severity: 'error' } }],
  ['a day long ago', { ...NEWEST, filter: ANCIENT }],
  ['errors on a day long ago', { ...NEWEST, filter: { ...ANCIENT, severity: 'error' } }],
  ['a common word', { ...NEWEST, filter: { q: 'boot' } }],
  ['a rare word', { ...NEWEST, filter: { q: 'zanzibar' } }],
  ['a word only in the oldest rows', { ...NEWEST, filter: { q: 'ancient' } }],
  ['common words that never appear together', { ...NEWEST, filter: { q: 'boot failed' } }],
  ['row 50,000', { ...NEWEST, first: 50_000 }],
  ['the last page that can be reached', { ...NEWEST, first: 99_975 }],
];
const CVMS: [string, Ask][] = [
  ['newest first', NEWEST],
  ['by name', { sort: ['name', 'ASC'] }],
  ['by price, which has no index', { sort: ['hourly_rate', 'DESC'] }],
  ['one status', { ...NEWEST, filter: { status: 'error' } }],
  ['a status and a size', { ...NEWEST, filter: { status: 'stopped', instance_type: 'tdx.small' } }],
  ["one team's", { ...NEWEST, filter: { team_id: 1 } }],
  ["one host's", { ...NEWEST, filter: { teepod_id: 1 } }],
  ['a name prefix', { ...NEWEST, filter: { q: 'app-471' } }],
  ['an unknown name', { ...NEWEST, filter: { q: 'zanzibar' } }],
  ['row 50,000', { ...NEWEST, first: 50_000 }],
];

/** Times the admin area's lists as staff use them: pages with totals, and file exports, over all users' rows. */
export async function adminLists(options: Options): Promise<Part> {
  const events = options.quick ? 50_000 : 1_000_000;
  const cvms = options.quick ? 2_000 : 100_000;
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off' });
    try {
      const database = await server.database();
      const db = createDb(database.pool);
      options.say(`${cvms} CVMs`);
      const seeded = await seed(server.url, db, cvms);
      await sql`update cvms set status = case when id % 1000 = 0 then 'error' when id % 5 = 0 then 'stopped' else status end`.execute(
        db,
      );
      options.say(`${events} events`);
      await seedEvents(db, events, true);
      await sql`vacuum analyze cvms`.execute(db);
      const ask = asker(server.url, seeded, options.quick ? 8 : 20);
      const baseline = await ask('nodes', {});
      const exact = await timed(options.quick ? 3 : 8, () => sql`select count(*) from events`.execute(db));
      const rows: Row[] = [
        { what: 'nodes, one row (baseline)', figures: `p50 ${ms(baseline.p50)} p95 ${ms(baseline.p95)}` },
        {
          what: 'select count(*) from events (baseline)',
          figures: `p50 ${ms(exact.p50)} p95 ${ms(exact.p95)}`,
        },
      ];
      for (const [resource, asks] of [
        ['instance-events', EVENTS],
        ['cvms', CVMS],
      ] as const)
        for (const [what, one] of asks) {
          const { p50, p95, total } = await ask(resource, one);
          rows.push({
            what: `${resource}: ${what}`,
            figures: `p50 ${ms(p50)} p95 ${ms(p95)}, ${(p95 / baseline.p95).toFixed(1)}× nodes, total ${total}${p95 > AIM_MS ? '  OVER' : ''}`,
            aim: `p95 < ${AIM_MS} ms`,
          });
        }
      for (const resource of ['instance-events', 'cvms'] as const)
        rows.push(await exported(server.url, server.pid, seeded, resource));
      await database.stop();
      return {
        title: 'Admin lists',
        how: `GET /admin/… of 25 rows with their total, signed in, sequentially, ${events.toLocaleString('en')} events and ${cvms.toLocaleString('en')} CVMs, supervised PostgreSQL. “~” marks estimated totals. Files: every row and column, with the server's memory during the export.`,
        rows,
      };
    } finally {
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

async function timed(rounds: number, work: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  await work();
  for (let i = 0; i < rounds; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

const asker =
  (url: string, { session }: Seeded, rounds: number) =>
  async (resource: string, { sort = ['id', 'ASC'], filter = {}, first = 0 }: Ask) => {
    let total = '';
    const query = new URLSearchParams({
      sort: JSON.stringify(sort),
      filter: JSON.stringify(filter),
      range: JSON.stringify([first, first + 24]),
    });
    const times = await timed(rounds, async () => {
      const reply = await fetch(`${url}/api/v1/admin/${resource}?${query}`, { headers: { cookie: session } });
      const body = await reply.text();
      if (!reply.ok) throw new Error(`${resource} ${query}: ${reply.status} ${body.slice(0, 300)}`);
      const about = reply.headers.get('x-total-estimated') === 'true' ? '~' : '';
      total = about + (reply.headers.get('content-range')?.split('/')[1] ?? '');
    });
    return { ...times, total };
  };

/** Reads a file to its end while sampling the server's memory. */
async function exported(url: string, pid: number, { session }: Seeded, resource: string): Promise<Row> {
  const before = rssMb(pid);
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, rssMb(pid))), 50);
  const began = performance.now();
  let first = 0;
  let bytes = 0;
  let lines = 0;
  try {
    const reply = await fetch(`${url}/api/v1/admin/${resource}?format=csv&sort=["created_at","DESC"]`, {
      headers: { cookie: session },
    });
    for await (const part of reply.body ?? []) {
      first ||= performance.now() - began;
      const chunk = part as Uint8Array;
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines++;
    }
  } finally {
    clearInterval(watch);
  }
  const seconds = (performance.now() - began) / 1000;
  return {
    what: `${resource}: all rows as CSV`,
    figures: `${(lines - 1).toLocaleString('en')} rows, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, first byte ${ms(first)}, RSS ${before.toFixed(0)} → at most ${highest.toFixed(0)} MB`,
    aim: 'memory flat',
  };
}
