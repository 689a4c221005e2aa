import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSeal } from '../../domain/core/seal';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam, insertTestWebhook, type TestTeam } from '../../testing/teamFixtures';
import { forgetDeliveries } from './deliveryRetention';
import { deliveryStats } from './webhookDeliveries';
import type { WebhookRow } from './webhooksTable';

let database: TestDatabase;
let team: TestTeam;
let webhook: WebhookRow;
const seal = createSeal(Buffer.from('s'.repeat(40)));

beforeAll(async () => {
  database = await createTestDatabase();
  team = await insertTeam(database.db, 'listening');
});
beforeEach(async () => {
  const { db } = database;
  await db.deleteFrom('webhooks').execute();
  await told('1 day');
  ({ webhook } = await insertTestWebhook(db, seal, { team, url: 'http://127.0.0.1:9' }));
  await db.updateTable('webhooks').set({ last_leased_at: new Date() }).execute();
});
afterAll(() => database.drop());

/** Sets how long ago the team was notified about the limit. */
const told = (ago: string) =>
  sql`insert into retention_notices (kind, team_id, announced_at, starts_at, covers_until)
    select 'webhook_deliveries_limit', id, at, at + interval '1 hour', now() + interval '80 days'
    from (select ${team.id}::bigint as id, now() - ${ago}::interval as at) t
    on conflict (kind, team_id) do update set announced_at = excluded.announced_at, starts_at = excluded.starts_at`.execute(
    database.db,
  );
/** Adds deliveries, the first of them from as many minutes ago. */
const add = (count: number, state: 'pending' | 'delivered', { test = false, minutes = 60 } = {}) =>
  sql`insert into webhook_deliveries (webhook_id, event_id, event, body, state, test, next_attempt_at, finished_at, created_at)
    select ${webhook.id}, gen_random_uuid()::text, 'cvm.created', '{}', ${state}, ${test}::boolean,
      case when ${state} = 'pending' then now() end, case when ${state} = 'delivered' then now() end,
      now() - make_interval(mins => ${minutes}::int - n)
    from generate_series(1, ${count}::int) n`.execute(database.db);
const forget = (kept: number) => forgetDeliveries(database.db, { kept, minute: webhook.id % 60 });
const states = async () => {
  const rows = await database.db.selectFrom('webhook_deliveries').select('state').orderBy('id').execute();
  return rows.map(({ state }) => state);
};
const entries = () =>
  database.db
    .selectFrom('audit_log')
    .select(['team_id', 'target_id', 'after'])
    .where('action', '=', 'webhook.deliveries_dropped')
    .where('target_id', '=', webhook.public_id)
    .execute();

it('keeps the newest deliveries, and records nothing about ended ones', async () => {
  await add(3, 'delivered');
  await add(2, 'pending');
  await forget(4);
  expect(await states()).toEqual(['delivered', 'delivered', 'pending', 'pending']);
  await forget(4);
  expect(await states()).toHaveLength(4);
  expect(await entries()).toEqual([]);
});

it('notifies the team when a webhook is close to its limit, an hour before the first deletion', async () => {
  const { db } = database;
  await db.deleteFrom('retention_notices').execute();
  const limits = () =>
    db.selectFrom('audit_log').select('target_id').where('action', '=', 'retention.limit').execute();
  await add(8, 'delivered');
  await forget(10);
  expect(await limits()).toEqual([]);
  await add(2, 'delivered', { minutes: 30 });
  await forget(10);
  await forget(10);
  expect(await limits()).toEqual([{ target_id: 'webhook_deliveries' }]);
  // It exceeds the limit before the hour is over.
  await add(5, 'delivered', { minutes: 10 });
  await forget(10);
  expect(await states()).toHaveLength(15);
  await told('59 minutes');
  await forget(10);
  expect(await states()).toHaveLength(15);
  await told('61 minutes');
  await forget(10);
  expect(await states()).toHaveLength(10);
  expect(await limits()).toHaveLength(1);
});

it('says in the audit log which events were never delivered', async () => {
  await add(1, 'pending', { test: true });
  await add(1, 'delivered');
  await add(5, 'pending', { minutes: 30 });
  await forget(2);
  expect(await states()).toEqual(['pending', 'pending']);
  const [entry, ...more] = await entries();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    team_id: team.id,
    after: { undelivered: 3, kept_deliveries: 2, export: 'GET /workspaces/{slug}/events/export' },
  });
  const { from, to } = entry!.after as { from: string; to: string };
  expect(Date.parse(to) - Date.parse(from)).toBe(2 * 60_000);
});

it('deletes everything beyond the newest, however many batches that takes', async () => {
  await add(9, 'pending');
  await forgetDeliveries(database.db, { kept: 2, batch: 3, minute: webhook.id % 60 });
  expect(await states()).toHaveLength(2);
  const dropped = (await entries()).map(({ after }) => (after as { undelivered: number }).undelivered);
  expect(dropped.toSorted()).toEqual([1, 3, 3]);
});

it('leaves webhooks of other minutes for a later run', async () => {
  await add(3, 'delivered');
  await forgetDeliveries(database.db, { kept: 1, minute: (webhook.id + 1) % 60 });
  expect(await states()).toHaveLength(3);
});

it('counts only the time for which all deliveries are kept', async () => {
  const { db } = database;
  const month = new Date(Date.now() - 30 * 86_400_000);
  await add(5, 'delivered');
  expect(await deliveryStats(db, webhook.id, month, 10)).toMatchObject({ since: month, total: 5 });
  const full = await deliveryStats(db, webhook.id, month, 3);
  expect(full).toMatchObject({ total: 3, delivered: 3 });
  expect(full.since.getTime()).toBeGreaterThan(Date.now() - 58 * 60_000);
});
