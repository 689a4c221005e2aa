import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../db/core/client';
import { insertToken } from '../testing/cvmFixtures';
import { opened, report } from './live';
import type { ReadersJob } from './liveReaders';
import { rssMb } from './logHost';
import { ms, quantile, type Options, type Part } from './report';
import { register } from './seed';
import { cpuMs, startSource, stopChild, withServer } from './serverProcess';

/** The limit per user. */
const PER_TEAM = 20;
const EVENTS_PER_SECOND = 50;
/** Number opened between two checks that all have been accepted. */
const BATCH_SIZE = 500;

/** Thousands of open pages of many teams on one server, each of which receives its own team's events. */
export async function readers(options: Options): Promise<Part> {
  const { quick, say } = options;
  const teams = quick ? 25 : 250;
  const count = teams * PER_TEAM;
  const seconds = quick ? 5 : 60;
  const reading = startSource('liveReaders.ts');
  try {
    return await withServer({ LOCAL_TEEPOD: 'off' }, async ({ server, db }) => {
      await register(server.url);
      const members = await makeTeams(db, teams);
      const before = rssMb(server.pid);
      for (let open = 0; open < count; open += BATCH_SIZE) {
        const events = Array.from({ length: Math.min(BATCH_SIZE, count - open) }, (_, i) => ({
          path: '/api/v1/events/stream',
          headers: { 'x-api-key': members[(open + i) % teams]!.token },
        }));
        const job: ReadersJob = { url: server.url, events, logs: [], idle: [] };
        reading.send(job);
        await opened(reading, open + events.length);
      }
      say(`${count} streams`);
      const opened_mb = rssMb(server.pid);
      reading.send('reset');
      const [cpu, began] = [cpuMs(server.pid), Date.now()];
      const sent = seconds * EVENTS_PER_SECOND;
      for (let i = 0; i < sent; i++) {
        const at = performance.timeOrigin + performance.now();
        await sql`insert into events (team_id, kind, message)
          values (${members[i % teams]!.team_id}, 'bench.event', ${`sent at ${at.toFixed(3)}`})`.execute(db);
        await wait(Math.max(0, began + ((i + 1) * 1000) / EVENTS_PER_SECOND - Date.now()));
      }
      await wait(2_000);
      const used = (cpuMs(server.pid) - cpu) / (Date.now() - began);
      const { delays, failed } = await report(reading);
      const missing = sent * PER_TEAM - delays.length;
      return {
        title: `${count} event readers`,
        how: `${count} event streams of ${teams} teams on one server, ${EVENTS_PER_SECOND} events a second, each for the ${PER_TEAM} readers of its team. Delay: from just before the event is written to its arrival, read by another process on the same machine. CPU: of one core.`,
        rows: [
          {
            what: 'delay of an event',
            figures: `p50 ${ms(quantile(delays, 0.5))}, p99 ${ms(quantile(delays, 0.99))}; ${missing} of ${sent * PER_TEAM} missing, ${failed} streams failed`,
            aim: 'p99 ≤ 1 s, none missing',
          },
          {
            what: 'the server',
            figures: `${(used * 100).toFixed(0)}% CPU, ${(((opened_mb - before) * 1024) / count).toFixed(0)} KB for each stream`,
          },
        ],
      };
    });
  } finally {
    await stopChild(reading);
  }
}

/** Creates teams with one member each. */
async function makeTeams(db: Db, count: number): Promise<{ team_id: number; token: string }[]> {
  const { rows } = await sql<{ team_id: number; user_id: number }>`
    with numbers as (select n from generate_series(1, ${count}::int) n),
    members as (
      insert into users (public_id, email, username, email_verified_at)
      select 'usr_reader' || n, 'reader' || n || '@example.test', 'reader' || n, now() from numbers returning id, username
    ),
    made as (
      insert into teams (public_id, slug, name, wallet_address)
      select 'wks_reader' || n, 'reader' || n, 'reader' || n, '0x' from numbers returning id, slug
    ),
    joined as (
      insert into memberships (team_id, user_id, role)
      select m.id, p.id, 'owner' from made m join members p on p.username = m.slug returning team_id, user_id
    )
    select team_id, user_id from joined`.execute(db);
  return Promise.all(
    rows.map(async ({ team_id, user_id }) => ({
      team_id,
      token: await insertToken(db, { team_id, user_id }),
    })),
  );
}
