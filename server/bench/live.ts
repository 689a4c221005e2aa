import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { logUrl } from '../../console/features/logs/logSources';
import type { CvmComposition, CvmDetail } from '../../generated/api/types.gen';
import type { Db } from '../db/core/client';
import { identityOf, insertToken } from '../testing/cvmFixtures';
import { rssMb, startLogHost } from './logHost';
import type { ReadersJob, ReadersResult } from './liveReaders';
import { ms, quantile, type Options, type Part, type Row } from './report';
import { EMAIL, register } from './seed';
import { cpuMs, startSource, stopChild, withServer, type Started } from './serverProcess';

const EVENT_STREAMS = 200;
const LOG_STREAMS = 200;
/** Per kind; they open a stream and never read. */
const IDLE = 10;
/** Below the limits for one user and for one CVM. */
const PER_USER = 20;
const PER_CVM = 25;
const EVENTS_PER_SECOND = 20;
const LINES_PER_SECOND = 100;

/** 200 open pages and 200 followed logs on one server. */
export const live = (options: Options): Promise<Part> =>
  withServer({ LOCAL_TEEPOD: 'off' }, async ({ server, db }) => {
    const { session, slug } = await register(server.url);
    const host = await startLogHost(db, Math.ceil((LOG_STREAMS + IDLE) / PER_CVM));
    const readers = startSource('liveReaders.ts');
    try {
      host.rate(LINES_PER_SECOND);
      const users = await tokens(db, Math.ceil((EVENT_STREAMS + IDLE) / PER_USER));
      const logs = await logPaths(server, session, slug, host.vm_uuids);
      const events = Array.from({ length: EVENT_STREAMS + IDLE }, (_, i) => ({
        path: '/api/v1/events/stream',
        headers: { 'x-api-key': users[i % users.length]! },
      }));
      const open = (job: Omit<ReadersJob, 'url'>) => void readers.send({ url: server.url, ...job });
      const phase = (what: string) => measure(what, { server, db, readers, options });

      const rows: Row[] = [await phase('nobody')];
      open({ events: events.slice(0, EVENT_STREAMS), logs: [], idle: [] });
      await opened(readers, EVENT_STREAMS);
      rows.push(await phase(`${EVENT_STREAMS} event streams`));
      open({ events: [], logs: logs.slice(0, LOG_STREAMS), idle: [] });
      await opened(readers, EVENT_STREAMS + LOG_STREAMS);
      rows.push(await phase(`and ${LOG_STREAMS} logs of ${LINES_PER_SECOND} lines/s`));
      open({
        events: [],
        logs: [],
        idle: [
          ...events.slice(EVENT_STREAMS),
          ...logs.slice(LOG_STREAMS).map((one) => ({ path: one, headers: {} })),
        ],
      });
      await opened(readers, EVENT_STREAMS + LOG_STREAMS + 2 * IDLE);
      rows.push(await phase(`and ${2 * IDLE} readers that read nothing`));
      return {
        title: 'Live',
        how: `${EVENT_STREAMS} event streams of one team by ${users.length} users and ${LOG_STREAMS} followed logs of ${host.vm_uuids.length} CVMs on one server, ${EVENTS_PER_SECOND} events a second. Delay: from just before the event is written to its arrival at each stream, read by another process on the same machine. CPU: of one core.`,
        rows,
      };
    } finally {
      await stopChild(readers);
      await host.stop();
    }
  });

/** Creates tokens for that many members of the team. */
async function tokens(db: Db, count: number): Promise<string[]> {
  const { team_id } = await identityOf(db, EMAIL);
  const { rows } = await sql<{ id: number }>`
    insert into users (public_id, email, username, email_verified_at)
    select 'usr_bench' || n, 'bench' || n || '@example.test', 'bench' || n, now() from generate_series(1, ${count}::int) n
    returning id`.execute(db);
  await sql`insert into memberships (team_id, user_id, role) select ${team_id}, id, 'member' from users where public_id like 'usr_bench%'`.execute(
    db,
  );
  return Promise.all(rows.map(({ id }) => insertToken(db, { team_id, user_id: id })));
}

async function logPaths(
  server: Started,
  session: string,
  slug: string,
  vm_uuids: string[],
): Promise<string[]> {
  const headers = { cookie: session, 'x-workspace': slug };
  const get = async <T>(path: string) =>
    (await (await fetch(`${server.url}/api/v1${path}`, { headers })).json()) as T;
  const paths = await Promise.all(
    vm_uuids.map(async (vm_uuid) => {
      const cvm = await get<CvmDetail>(`/cvms/${vm_uuid}`);
      const composition = await get<CvmComposition>(`/cvms/${vm_uuid}/composition`);
      return logUrl({ id: 'web', label: 'web', kind: 'container' }, cvm, composition, {}) ?? '';
    }),
  );
  return Array.from({ length: LOG_STREAMS + IDLE }, (_, i) => paths[i % paths.length]!);
}

type Readers = ReturnType<typeof startSource>;

/** Collects the readers' results. */
export async function report(readers: Readers): Promise<ReadersResult> {
  readers.send('report');
  const [result] = (await once(readers, 'message')) as [ReadersResult];
  return result;
}

/** Waits until that many streams are open. */
export async function opened(readers: Readers, count: number): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await wait(100)) {
    const { open, failed } = await report(readers);
    if (open >= count) return;
    if (Date.now() > deadline || failed > 0)
      throw new Error(`${open} of ${count} streams are open, ${failed} failed`);
  }
}

async function measure(
  what: string,
  { server, db, readers, options }: { server: Started; db: Db; readers: Readers; options: Options },
): Promise<Row> {
  const seconds = options.quick ? 5 : 30;
  const { team_id } = await identityOf(db, EMAIL);
  await wait(1_000);
  readers.send('reset');
  const cpu = cpuMs(server.pid);
  const began = Date.now();
  const count = seconds * EVENTS_PER_SECOND;
  for (let i = 0; i < count; i++) {
    const at = performance.timeOrigin + performance.now();
    await sql`insert into events (team_id, kind, message) values (${team_id}, 'bench.event', ${`sent at ${at.toFixed(3)}`})`.execute(
      db,
    );
    await wait(Math.max(0, began + ((i + 1) * 1000) / EVENTS_PER_SECOND - Date.now()));
  }
  await wait(500);
  const used = (cpuMs(server.pid) - cpu) / (Date.now() - began);
  const { delays, logBytes, failed } = await report(readers);
  options.say(what);
  const delay =
    delays.length === 0
      ? ''
      : `, ${delays.length} of events, delay p50 ${ms(quantile(delays, 0.5))} p99 ${ms(quantile(delays, 0.99))}`;
  const bytes = logBytes === 0 ? '' : `, ${(logBytes / 1e6 / seconds).toFixed(1)} MB/s of logs`;
  return {
    what,
    figures: `${(used * 100).toFixed(0)} % CPU, RSS ${rssMb(server.pid).toFixed(0)} MB${delay}${bytes}${failed > 0 ? `, ${failed} FAILED` : ''}`,
  };
}
