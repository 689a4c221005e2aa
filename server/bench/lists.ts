import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { operations } from '../../generated/api/operations.gen';
import { createDb, type Db } from '../db/core/client';
import { identityOf } from '../testing/cvmFixtures';
import { startPostgres } from '../tools/postgres';
import { quantile, type Options, type Part, type Row } from './report';
import { seed, type Seeded } from './seed';
import { seedEvents } from './seedEvents';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

const AIM_MS = 100;
/** Contacts a guest or a resolver behind the server, so it doesn't measure the database. */
const NOT_OURS = new Set([
  'getCvmComposition',
  'getCvmStats',
  'getCvmNetwork',
  'getCvmAttestation',
  'getAppAttestations',
  'getCvmEvidence',
  'getAppEnvPubkey',
]);
/** Filters that users apply, besides the first page. */
const QUERIES: Record<string, string[]> = {
  listEvents: ['', 'q=severity:error', 'q=kind:update.failed', 'q=Zanzibar', 'q=-kind:host.*', 'limit=100'],
  listApps: ['', 'search=app-4711', 'status=running', 'page=90&page_size=50'],
  listCvmsPaginated: ['', 'page=90&page_size=100'],
};

/** p95 of every list and tab of a team with 10,000 CVMs and 1,000,000 events, on the PostgreSQL at DATABASE_URL. */
export async function lists(options: Options): Promise<Part> {
  const cvms = options.quick ? 500 : 10_000;
  const events = options.quick ? 50_000 : 1_000_000;
  const postgres = await startPostgres();
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off', DATABASE_URL: postgres.url });
    try {
      const database = await server.database();
      try {
        const db = createDb(database.pool);
        options.say(`${cvms} CVMs, ${events} events`);
        const seeded = await seed(server.url, db, cvms);
        await seedEvents(db, events, true);
        const rows = await measure(server.url, db, seeded, options);
        return {
          title: 'Lists and tabs',
          how: `Every team GET in the document that doesn't contact a guest, ${cvms} CVMs and ${events} events in the team, external PostgreSQL, one request at a time, 5 CVMs and apps in turn. Baseline: GET /auth/me in the same run.`,
          rows,
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

async function measure(url: string, db: Db, seeded: Seeded, options: Options): Promise<Row[]> {
  const ids = await idsOf(db, seeded);
  const rounds = options.quick ? 15 : 60;
  const time = async (path: string): Promise<number> => {
    const began = performance.now();
    const reply = await fetch(`${url}/api/v1${path}`, {
      headers: { cookie: seeded.session, 'x-workspace': seeded.slug },
    });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    return performance.now() - began;
  };
  const sample = async (paths: string[]): Promise<{ p50: number; p95: number }> => {
    for (const path of paths) await time(path);
    const times: number[] = [];
    for (let i = 0; i < rounds; i++) times.push(await time(paths[i % paths.length] ?? ''));
    return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
  };
  const baseline = await sample(['/auth/me']);
  const rows: Row[] = [
    {
      what: 'GET /auth/me (baseline)',
      figures: `p50 ${baseline.p50.toFixed(1)} ms, p95 ${baseline.p95.toFixed(1)} ms`,
    },
  ];
  for (const [id, operation] of Object.entries(operations)) {
    if (operation.method !== 'get' || operation.stream || operation.signedUrl || NOT_OURS.has(id)) continue;
    if (operation.tag === 'admin' || operation.tag === 'auth' || operation.permission === 'public') continue;
    for (const query of QUERIES[id] ?? ['']) {
      const paths = ids
        .flatMap((one) => fill(operation.path, one) ?? [])
        .map((path) => path + (query === '' ? '' : `?${query}`));
      if (paths.length === 0) continue;
      const { p50, p95 } = await sample([...new Set(paths)]).catch((error: unknown) => {
        options.say(`${id}: ${String(error)}`);
        return { p50: Number.NaN, p95: Number.NaN };
      });
      if (Number.isNaN(p50)) continue;
      rows.push({
        what: `${id}${query === '' ? '' : ` ?${query}`}`,
        figures: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${(p95 / baseline.p95).toFixed(1)}× baseline${p95 > AIM_MS ? '  OVER' : ''}`,
        aim: `p95 < ${AIM_MS} ms`,
      });
    }
  }
  return rows.toSorted((a, b) => Number(b.figures.includes('OVER')) - Number(a.figures.includes('OVER')));
}

type Ids = Record<string, string>;

/** Path parameters of five CVMs, spread over all. */
async function idsOf(db: Db, seeded: Seeded): Promise<Ids[]> {
  const { team_id } = await identityOf(db, 'bench@example.test');
  const { rows } = await sql<Ids>`
    select c.vm_uuid::text as cvm_id, a.app_id, r.public_id as revision_id, o.correlation_id::text, e.id::text as event_id,
      k.slug as kms
    from cvms c join apps a on a.id = c.app_id join revisions r on r.id = c.revision_id join kms k on k.id = c.kms_id
    join lateral (select correlation_id from operations where cvm_id = c.id limit 1) o on true
    join lateral (select id from events where cvm_id = c.id limit 1) e on true
    where c.team_id = ${team_id} and c.vm_uuid::text = any(${seeded.vm_uuids.slice(0, 5)})`.execute(db);
  return rows.map((row) => ({ ...row, slug: seeded.slug, family: 'cpu' }));
}

/** Returns the path with its parameters; null if one refers to data the benchmark doesn't create. */
function fill(path: string, ids: Ids): string | null {
  let complete = true;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name];
    if (value === undefined) complete = false;
    return value ?? '';
  });
  return complete ? filled : null;
}
