import { fork } from 'node:child_process';
import path from 'node:path';
import { once } from 'node:events';
import { createDb, createPool, type Db } from '../db/core/client';
import { findCvm } from '../db/cvms/cvmLookup';
import type { OpenDatabase } from '../db/core/embedded';
import { findToken } from '../db/teams/tokens';
import { hashToken } from '../domain/teams/token';
import { createComposeAnalyzer } from '../drivers/compose/analyzer';
import { listApps } from '../operations/apps/listApps';
import { freePort, startPostgres } from '../tools/postgres';
import { ROOT } from '../tools/run';
import type { LoadJob, LoadResult } from './load';
import { record, type Waves } from './recorded';
import { median, ms, type Options, type Part, type Row } from './report';
import { seed, type Seeded } from './seed';
import {
  cpuMs,
  removeDir,
  startServerProcess,
  startSource,
  stopChild,
  temporaryDir,
  until,
} from './serverProcess';

const CONNECTIONS = 8;

/** In the order of a round: bare Express, the same with prepared statements, Teehouse. */
const VARIANTS = ['bare', 'prepared', 'ours'] as const;
type Variant = (typeof VARIANTS)[number];

/** One round, with the serving process's processor time per request, in ms. */
interface Round extends LoadResult {
  cpu: number;
}

interface Route {
  name: string;
  waves: Waves;
  /** URL on the bare handler. */
  pattern: string;
  /** Value replaced in the recorded statements by the path's parameter. */
  id?: string;
  paths(base: string): string[];
}

/**
 * Requests per second of two reads, compared with bare Express running the same statements, on both kinds of
 * database.
 */
export async function api(options: Options): Promise<Part> {
  const cvms = options.quick ? 200 : 10_000;
  const rows: Row[] = [];
  for (const kind of ['supervised', 'external'] as const) {
    const postgres = kind === 'external' ? await startPostgres() : null;
    const dataDir = await temporaryDir();
    try {
      const server = await startServerProcess(
        dataDir,
        { LOCAL_TEEPOD: 'off', ...(postgres ? { DATABASE_URL: postgres.url } : {}) },
        options.profile ? ['--cpu-prof', `--cpu-prof-dir=${path.join(ROOT, '.cache/bench')}`] : [],
      );
      try {
        const database = await server.database();
        try {
          options.say(`${kind} PostgreSQL: ${cvms} CVMs`);
          const seeded = await seed(server.url, createDb(database.pool), cvms);
          rows.push(...(await compare(kind, server, database, seeded, options)));
        } finally {
          await database.stop();
        }
      } finally {
        await server.stop();
      }
    } finally {
      await postgres?.stop();
      await removeDir(dataDir);
    }
  }
  return {
    title: 'API',
    how: `GET with an API token, ${cvms} CVMs in the database, ${CONNECTIONS} connections, rounds of Teehouse and bare Express in turn. Bare Express runs the same SQL (including the token lookup) and sends the rows unchanged. Ratio: bare requests per second over Teehouse's, median of the rounds; in brackets, against bare Express with prepared statements. cpu: the serving process's processor time per request.`,
    rows,
  };
}

async function compare(
  kind: string,
  server: { url: string; pid: number },
  database: OpenDatabase,
  seeded: Seeded,
  options: Options,
): Promise<Row[]> {
  const routes = await recordRoutes(database, seeded);
  const port = await freePort();
  const bareUrl = `http://127.0.0.1:${port}`;
  const bare = startSource('bareExpress.ts');
  try {
    bare.send({
      port,
      connection: database.connection,
      routes: routes.map(({ pattern, waves, id }) => ({ path: pattern, waves, id })),
    });
    await until(`${bareUrl}/readyz`, bare);
    const rows: Row[] = [];
    for (const route of routes) {
      const rounds: Record<Variant, Round[]> = { bare: [], prepared: [], ours: [] };
      const targets = {
        ours: { ...server, paths: route.paths('/api/v1') },
        bare: { url: bareUrl, pid: bare.pid ?? 0, paths: route.paths('') },
        prepared: { url: bareUrl, pid: bare.pid ?? 0, paths: route.paths('/prepared') },
      };
      const round = async (which: Variant, seconds: number): Promise<Round> => {
        const { url, pid, paths } = targets[which];
        const headers = { authorization: `Bearer ${seeded.token}` };
        const before = cpuMs(pid);
        const result = await load({ url, paths, headers, connections: CONNECTIONS, seconds });
        return { ...result, cpu: (cpuMs(pid) - before) / Math.max(1, result.requests) };
      };
      // Warms up until the engine has compiled both: the first few hundred replies aren't representative.
      for (const which of VARIANTS) await round(which, options.quick ? 3 : 10);
      for (let i = 0; i < (options.quick ? 3 : 5); i++)
        for (const which of VARIANTS) rounds[which].push(await round(which, options.quick ? 1 : 4));
      const failed = Object.values(rounds)
        .flat()
        .reduce((sum, one) => sum + one.failed, 0);
      if (failed > 0) throw new Error(`${route.name}: ${failed} requests failed`);
      const ratio = (to: Variant) =>
        median(rounds.ours.map((one, i) => (rounds[to][i]?.perSecond ?? 0) / one.perSecond)).toFixed(2);
      rows.push({
        what: `${route.name}, ${kind}`,
        figures: `${describe(rounds.ours)} · bare ${describe(rounds.bare)} · ratio ${ratio('bare')} (to prepared ${ratio('prepared')})`,
        aim: 'ratio ≤ 1.5',
      });
      options.say(`${rows.at(-1)?.what}: ${rows.at(-1)?.figures}`);
    }
    return rows;
  } finally {
    await stopChild(bare);
  }
}

function describe(rounds: Round[]): string {
  const of = (pick: (result: Round) => number) => median(rounds.map(pick));
  return `${of((one) => one.perSecond).toFixed(0)}/s p50 ${ms(of((one) => one.p50))} p99 ${ms(of((one) => one.p99))} cpu ${of((one) => one.cpu).toFixed(2)} ms ${(of((one) => one.bytes) / 1000).toFixed(0)} KB`;
}

/** Records both requests' statements, as the handlers run them with warm caches. */
async function recordRoutes(database: OpenDatabase, seeded: Seeded): Promise<Route[]> {
  const pool = createPool(database.connection, { applicationName: 'bench', size: 4 });
  try {
    const db = createDb(pool);
    const found = await findToken(db, hashToken(seeded.token));
    const team = found?.team;
    const compose = createComposeAnalyzer();
    const vm_uuid = seeded.vm_uuids[0];
    if (!team || !vm_uuid) throw new Error('the seeded team is missing');
    const auth = await record(pool, (noted) => findToken(noted, hashToken(seeded.token)));
    const apps = (noted: Db) =>
      listApps({
        path: {} as never,
        query: {} as never,
        body: undefined as never,
        ctx: {
          db: noted,
          caller: { team, user: found.user },
          compose,
          config: { publicUrl: 'http://localhost' },
        } as never,
      });
    await apps(db);
    return [
      {
        name: 'GET /apps',
        waves: [...auth, ...(await record(pool, apps))],
        pattern: '/apps',
        paths: (base) => [`${base}/apps`],
      },
      {
        name: 'GET /cvms/{id}',
        waves: [...auth, ...(await record(pool, (noted) => findCvm(noted, team.id, vm_uuid)))],
        pattern: '/cvms/:id',
        id: vm_uuid,
        paths: (base) => seeded.vm_uuids.map((id) => `${base}/cvms/${id}`),
      },
    ];
  } finally {
    await pool.end();
  }
}

export async function load(job: LoadJob): Promise<LoadResult> {
  const child = fork(path.join(ROOT, 'server/bench/load.ts'), [], { execArgv: ['--import', 'tsx'] });
  child.send(job);
  const [result] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the load generator exited without a result');
    }),
  ])) as [LoadResult];
  if (child.exitCode === null) await once(child, 'exit');
  return result;
}
