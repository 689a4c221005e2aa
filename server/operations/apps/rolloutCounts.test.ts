import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publicId } from '../../domain/core/publicId';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
});
afterAll(() => server?.stop());

it('counts the CVMs that were confirmed healthy, also beyond those a list contains', async () => {
  const { db } = server.services;
  const member = await server.register();
  const who = await identityOf(db, member.email!);
  const host = await insertHost(db);
  const { app, revision } = await insertApp(db, { ...who, host, name: 'replicas' });
  for (let i = 0; i < 60; i++)
    await insertCvm(db, { app, revision, host, ...who, change: { name: `replica-${i}` } });
  const rollout_id = publicId('rol');
  // Of the last three, one wasn’t updated and two weren’t confirmed healthy, one of them by an earlier version.
  await sql`
    with one as (
      insert into rollouts (public_id, team_id, app_id, revision_id, state, settle_seconds, health_timeout_seconds,
        finished_at, deadline_at)
      values (${rollout_id}, ${who.team_id}, ${app.id}, ${revision.id}, 'succeeded', 30, 600, now(), now()) returning id),
    cvm as (select id, row_number() over (order by id) as position from cvms where app_id = ${app.id})
    insert into rollout_items (rollout_id, position, cvm_id, state, reason, message, previous_revision_id, previous_os_image)
    select one.id, cvm.position, cvm.id, case when cvm.position = 60 then 'skipped' else 'updated' end,
      case when cvm.position = 60 then 'deleted' when cvm.position = 59 then 'starts_later' end,
      case when cvm.position >= 58 then 'Its text.' end, ${revision.id}, 'dstack'
    from one, cvm`.execute(db);
  const path = { app_id: app.app_id, rollout_id };
  const { body: list } = await member.call('listRollouts', { path });
  expect(list.data).toMatchObject([{ total: 60, updated: 59, healthy: 57 }]);
  expect(list.data[0]!.items).toHaveLength(50);
  const { body: one } = await member.call('getRollout', { path });
  expect(one).toMatchObject({ total: 60, updated: 59, healthy: 57 });
  expect(one.items).toHaveLength(60);
}, 60_000);
