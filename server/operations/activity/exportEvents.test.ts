import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identityOf } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** The notice of event expiry points to `GET /events` as their export (db/activity/eventRetention.ts). */

const EVENTS = 5_000;
const LIMIT = 100;

let server: TestServer;
let member: TestClient;
let teams: number[];
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  const other = await server.register();
  teams = await Promise.all([member, other].map(async ({ email }) => (await identityOf(db, email!)).team_id));
});
afterAll(() => server?.stop());

/** Alternates between the two teams, as in a shared table. */
const add = (name: string, count: number) =>
  sql`insert into events (team_id, kind, message)
    select (${teams}::bigint[])[n % 2 + 1], 'team.note', ${name}::text || ' ' || n from generate_series(1, ${2 * count}::int) n`.execute(
    server.services.db,
  );

it('exports all events of a team page by page while new ones arrive, without gaps or duplicates', async () => {
  await add('old', EVENTS);
  const { rows } = await sql<{ message: string }>`
    select message from events where team_id = ${teams[0]} order by id desc`.execute(server.services.db);
  const expected = rows.map(({ message }) => message);
  const exported: { id: string; message: string }[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ;) {
    const { status, body } = await member.call('listEvents', {
      query: { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) },
    });
    expect(status).toBe(200);
    exported.push(...body.data.map(({ id, message }) => ({ id, message })));
    if (++pages % 5 === 1) await add(`new ${pages}`, LIMIT + 1);
    if (!body.pagination.has_more) break;
    cursor = body.pagination.next_cursor ?? undefined;
    expect(cursor).toBeDefined();
  }
  expect(new Set(exported.map(({ id }) => id)).size).toBe(exported.length);
  // Events that arrive during the export are newer than its first page, so the next export has them.
  expect(exported.map(({ message }) => message)).toEqual(expected);
});
