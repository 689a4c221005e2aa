import { createDb, createPool } from '../db/core/client';
import { findSession } from '../db/accounts/sessions';
import { findToken } from '../db/teams/tokens';
import { verifyPassword, hashPassword } from '../domain/accounts/password';
import { hashToken } from '../domain/teams/token';
import { identityOf, insertToken } from '../testing/cvmFixtures';
import { freePort } from '../tools/postgres';
import { load } from './api';
import { record } from './recorded';
import { median, ms, quantile, type Options, type Part, type Row } from './report';
import { EMAIL, PASSWORD, register } from './seed';
import {
  cpuMs,
  removeDir,
  startServerProcess,
  startSource,
  stopChild,
  temporaryDir,
  until,
  type Started,
} from './serverProcess';

const CONNECTIONS = 8;
const CALLERS = ['nobody', 'session', 'token'] as const;
type Who = (typeof CALLERS)[number];

/** Cost of signing in, and authentication's overhead per request. */
export async function signIn(options: Options): Promise<Part> {
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off' });
    try {
      const { session } = await register(server.url);
      return {
        title: 'Sign-in',
        how: `POST /auth/session with the right password, compared with only the argon2id check in this process. Authentication: GET /instance-types, which is the same for all callers, anonymously, with a session and with an API token, ${CONNECTIONS} connections, rounds in turn; bare Express runs only the statement that finds the session or token. Ratio: anonymous requests per second over the caller's.`,
        rows: [...(await signIns(server, options)), ...(await checks(server, session, options))],
      };
    } finally {
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

async function signIns(server: Started, { quick, say }: Options): Promise<Row[]> {
  const stored = await hashPassword(PASSWORD);
  const alone: number[] = [];
  const timed = async (into: number[], work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    into.push(performance.now() - began);
  };
  for (let i = 0; i < 40; i++) await timed(alone, () => verifyPassword(stored, PASSWORD));
  const once = async () => {
    const reply = await fetch(`${server.url}/api/v1/auth/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    await reply.arrayBuffer();
    if (reply.status !== 201) throw new Error(`signing in returned ${reply.status}`);
  };
  for (let i = 0; i < 30; i++) await once();
  const rows: Row[] = [];
  for (const side of [1, CONNECTIONS]) {
    const times: number[] = [];
    const each = (quick ? 200 : 1000) / side;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: side }, async () => {
        for (let i = 0; i < each; i++) await timed(times, once);
      }),
    );
    const perSecond = times.length / ((performance.now() - began) / 1000);
    rows.push({
      what: `sign-in, ${side} at a time`,
      figures: `p50 ${ms(quantile(times, 0.5))} p99 ${ms(quantile(times, 0.99))} ${perSecond.toFixed(0)}/s · argon2id alone p50 ${ms(median(alone))}${side === 1 ? ` · ratio ${(median(times) / median(alone)).toFixed(1)}` : ''}`,
    });
    say(`${rows.at(-1)?.what}: ${rows.at(-1)?.figures}`);
  }
  return rows;
}

async function checks(server: Started, cookie: string, options: Options): Promise<Row[]> {
  const database = await server.database();
  const pool = createPool(database.connection, { applicationName: 'bench', size: 4 });
  const port = await freePort();
  const bare = startSource('bareExpress.ts');
  try {
    const token = await insertToken(createDb(pool), await identityOf(createDb(pool), EMAIL));
    const session_hash = hashToken(cookie.split('=')[1] ?? '');
    const waves = {
      nobody: [],
      session: await record(pool, (db) => findSession(db, session_hash, null)),
      token: await record(pool, (db) => findToken(db, hashToken(token))),
    };
    bare.send({
      port,
      connection: database.connection,
      routes: CALLERS.map((who) => ({ path: `/${who}`, waves: waves[who] })),
    });
    const bareUrl = `http://127.0.0.1:${port}`;
    await until(`${bareUrl}/readyz`, bare);
    const headers: Record<Who, Record<string, string>> = {
      nobody: {},
      session: { cookie },
      token: { authorization: `Bearer ${token}` },
    };
    const ours = { url: server.url, pid: server.pid, path: () => '/api/v1/instance-types' };
    const floor = { url: bareUrl, pid: bare.pid ?? 0, path: (who: Who) => `/prepared/${who}` };
    const measured = {
      ours: await rounds(ours, headers, options),
      bare: await rounds(floor, headers, options),
    };
    return (['session', 'token'] as const).map((who) => {
      const of = (kind: 'ours' | 'bare') => {
        const [nobody, caller] = [measured[kind].nobody, measured[kind][who]];
        return `${nobody.perSecond.toFixed(0)}/s → ${caller.perSecond.toFixed(0)}/s, p50 ${ms(nobody.p50)} → ${ms(caller.p50)}, cpu +${(caller.cpu - nobody.cpu).toFixed(2)} ms, ratio ${(nobody.perSecond / caller.perSecond).toFixed(2)}`;
      };
      const row = { what: `authentication: ${who}`, figures: `${of('ours')} · bare ${of('bare')}` };
      options.say(`${row.what}: ${row.figures}`);
      return row;
    });
  } finally {
    await stopChild(bare);
    await pool.end();
    await database.stop();
  }
}

interface Figures {
  perSecond: number;
  p50: number;
  /** The serving process's processor time per request, in ms. */
  cpu: number;
}

/** Callers take turns, so that other load on the machine affects all of them. */
async function rounds(
  target: { url: string; pid: number; path(who: Who): string },
  headers: Record<Who, Record<string, string>>,
  { quick }: Options,
): Promise<Record<Who, Figures>> {
  const results: Record<Who, Figures[]> = { nobody: [], session: [], token: [] };
  for (let i = -1; i < (quick ? 3 : 5); i++)
    for (const who of CALLERS) {
      const before = cpuMs(target.pid);
      const job = {
        url: target.url,
        paths: [target.path(who)],
        headers: headers[who],
        connections: CONNECTIONS,
      };
      const result = await load({ ...job, seconds: quick ? 2 : 4 });
      if (result.failed > 0) throw new Error(`${result.failed} requests by ${who} failed`);
      const cpu = (cpuMs(target.pid) - before) / Math.max(1, result.requests);
      // The first turn warms up the JIT.
      if (i >= 0) results[who].push({ ...result, cpu });
    }
  const of = (who: Who): Figures => ({
    perSecond: median(results[who].map((one) => one.perSecond)),
    p50: median(results[who].map((one) => one.p50)),
    cpu: median(results[who].map((one) => one.cpu)),
  });
  return { nobody: of('nobody'), session: of('session'), token: of('token') };
}
