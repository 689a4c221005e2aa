import { sql } from 'kysely';
import { createDb, type Db } from '../db/core/client';
import { startPostgres } from '../tools/postgres';
import { load } from './api';
import { quantile, type Options, type Part, type Row } from './report';
import { seed } from './seed';
import { seedEvents } from './seedEvents';
import { cpuMs, removeDir, startServerProcess, temporaryDir, type Started } from './serverProcess';

const CONNECTIONS = 8;
/** Distinct apps whose pages are read in turn, so that none is read twice in a row. */
const APPS = 500;
/** Searches matching every app, none, and both. */
const FILTERED = ['trust=simulated', 'trust=hardware', 'os=dstack-0.6.0&kms=phala', 'gpu=1&q=app-12'].map(
  (query) => `/explorer?${query}`,
);

/** The public half: pages rendered per second of processor time, and the explorer with many published apps. */
export async function publicPages(options: Options): Promise<Part> {
  const apps = options.quick ? 1000 : 100_000;
  const events = options.quick ? 20_000 : 1_000_000;
  const postgres = await startPostgres();
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off', DATABASE_URL: postgres.url });
    try {
      const database = await server.database();
      try {
        const db = createDb(database.pool);
        // Filling takes longer than the request timeout.
        await sql`set statement_timeout = 0`.execute(db);
        await seed(server.url, db, apps * 2);
        await seedEvents(db, events, true);
        await publish(db);
        options.say(`${apps} published apps, ${events} events`);
        const { rows: some } = await sql<{ app_id: string }>`
          select app_id from apps where name like 'app-%' order by md5(app_id) limit ${APPS}`.execute(db);
        const pages = some.map(({ app_id }) => `/explorer/${app_id}`);
        return {
          title: 'Public pages',
          how: `Pages: ${CONNECTIONS} connections, per second of the server's processor time; the database's is not counted. Explorer: ${apps} published apps and ${events} events, external PostgreSQL, one request at a time.`,
          rows: [
            await perCore(server, 'a template page', ['/templates/valkey'], 200, options),
            await perCore(server, 'pages of apps in turn', pages, 40, options),
            await times(server, 'explorer', ['/explorer'], options),
            await times(server, 'explorer, search', ['/explorer?q=app-4711', '/explorer?q=app-12'], options),
            await times(server, 'explorer, filters', FILTERED, options),
            await times(server, 'page of an app', pages, options),
          ],
        };
      } finally {
        await database.stop();
      }
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.stop();
    await removeDir(dataDir);
  }
}

/** In batches: a trigger records each app's publications. */
async function publish(db: Db): Promise<void> {
  // New rows have no statistics yet, so the trigger would scan whole tables.
  await sql`analyze`.execute(db);
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update cvms set listed = true where id in (select id from cvms where not listed limit 10000)`.execute(
      db,
    );
    if (numAffectedRows === 0n) break;
  }
  await sql`analyze`.execute(db);
}

async function perCore(
  { url, pid }: Started,
  what: string,
  paths: string[],
  aim: number,
  { quick, say }: Options,
): Promise<Row> {
  const job = { url, paths, headers: {}, connections: CONNECTIONS };
  await load({ ...job, seconds: 2 });
  const before = cpuMs(pid);
  const { requests, failed, p99 } = await load({ ...job, seconds: quick ? 3 : 10 });
  const seconds = (cpuMs(pid) - before) / 1000;
  say(what);
  return {
    what,
    figures: `${(requests / seconds).toFixed(0)} per second of processor time, p99 ${p99.toFixed(0)} ms; ${failed} failed`,
    aim: `≥ ${aim}`,
  };
}

async function times({ url }: Started, what: string, paths: string[], { quick, say }: Options): Promise<Row> {
  const taken: number[] = [];
  for (let n = 0; n < (quick ? 30 : 200); n++) {
    const began = performance.now();
    const reply = await fetch(`${url}${paths[n % paths.length] ?? ''}`);
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${what}: ${reply.status}`);
    taken.push(performance.now() - began);
  }
  say(what);
  return {
    what,
    figures: `p50 ${quantile(taken, 0.5).toFixed(0)} ms, p95 ${quantile(taken, 0.95).toFixed(0)} ms`,
    aim: 'p95 ≤ 100 ms',
  };
}
