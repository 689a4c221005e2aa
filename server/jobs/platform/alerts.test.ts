import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acknowledge, reconcileAlerts, notifyChats } from '../../db/platform/alerts';
import { troublesOf, type Trouble } from '../../db/platform/alertTroubles';
import { withTransaction } from '../../db/core/client';
import { insertDelivery } from '../../db/webhooks/webhookDeliveries';
import { createSeal } from '../../domain/core/seal';
import { insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam, insertTestWebhook } from '../../testing/teamFixtures';
import { watchAlerts } from './alerts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('alerts become warnings again when their problem improves, and stay acknowledged', async () => {
  const { db } = database;
  const see = (severity: Trouble['severity']) =>
    withTransaction(db, (trx) =>
      reconcileAlerts(trx, [
        { kind: 'host_disk_low', subject: 'teepod:1', severity, title: 'Low', message: 'Low' },
      ]),
    );
  const alert = () =>
    db
      .selectFrom('alerts')
      .select(['id', 'severity', 'acknowledged_by', 'resolved_at'])
      .executeTakeFirstOrThrow();
  await see('warning');
  await see('critical');
  const { id } = await alert();
  await withTransaction(db, (trx) => acknowledge(trx, id, 'ada'));
  const { opened, changed } = await see('warning');
  expect([opened.length, changed.length], 'chats show the change').toEqual([0, 1]);
  expect(await alert()).toEqual({ id, severity: 'warning', acknowledged_by: 'ada', resolved_at: null });
  await see('critical');
  expect(await alert(), 'worse again').toMatchObject({ severity: 'critical', acknowledged_by: null });
});

it('alerts about a disk are one for all its containers, and resolved by one of them or after all are gone', async () => {
  const { db } = database;
  const watch = (machine: string, id: string, free: number) =>
    watchAlerts({
      db,
      dataDir: '/tmp',
      machine,
      spaceOf: async () => ({ id, free, gigabytes: 1 }),
    });
  const alerts = () =>
    db
      .selectFrom('alerts')
      .select(['subject', 'count', 'resolved_at'])
      .where('kind', '=', 'server_disk_low')
      .execute();
  const open = { subject: 'disk:one', count: 1, resolved_at: null };
  for (const container of ['a', 'a-restarted', 'a-beside-it']) {
    await watch(container, 'one', 0.05);
    await watch('b', 'two', 0.5);
  }
  expect(await alerts()).toEqual([open]);
  const seen = (minutes: number) =>
    sql`update alerts set updated_at = now() - make_interval(mins => ${minutes})`.execute(db);
  await seen(3);
  await watch('a', 'one', 0.05);
  await watch('b', 'two', 0.5);
  expect(await alerts(), 'seen again').toEqual([open]);
  await watch('a', 'one', 0.5);
  const resolved = { subject: 'disk:one', resolved_at: expect.any(Date) };
  expect(await alerts()).toMatchObject([resolved]);
  await watch('a', 'one', 0.05);
  await seen(3);
  await watch('b', 'two', 0.5);
  expect(await alerts(), 'no process sees it').toMatchObject([resolved]);
});

it('alerts end for hosts taken offline and retired key services, which are no longer checked', async () => {
  const { db } = database;
  const { teepod, kms } = await insertHost(db);
  await db.updateTable('teepods').set({ held_strays: 3 }).where('id', '=', teepod.id).execute();
  await db.updateTable('kms').set({ health: 'alarm' }).where('id', '=', kms.id).execute();
  await db.insertInto('host_troubles').values({ teepod_id: teepod.id, told_at: new Date() }).execute();
  const found = async () =>
    (await troublesOf(db))
      .filter(({ subject }) => [`teepod:${teepod.id}`, `kms:${kms.id}`].includes(subject))
      .map(({ kind }) => kind)
      .sort();
  expect(await found()).toEqual(['host_unreachable', 'kms_key_changed', 'strays_held']);
  await db.updateTable('teepods').set({ state: 'offline' }).where('id', '=', teepod.id).execute();
  await db.updateTable('kms').set({ state: 'retired' }).where('id', '=', kms.id).execute();
  expect(await found()).toEqual([]);
});

it('a backlog at a slow webhook of one team is no stuck queue, unless no worker serves it', async () => {
  const { db } = database;
  const team = await insertTeam(db, 'slow');
  const seal = createSeal(Buffer.from('s'.repeat(40)));
  const { webhook } = await insertTestWebhook(db, seal, { team, url: 'https://slow.example.test/hook' });
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await withTransaction(db, (trx) =>
    insertDelivery(trx, {
      webhook_id: webhook.id,
      event_id: 'evt_waiting',
      event: 'cvm.created',
      body: '{}',
      next_attempt_at: ago(40),
    }),
  );
  const servedAgo = async (minutes: number) => {
    await db
      .updateTable('webhooks')
      .set({ last_leased_at: ago(minutes) })
      .where('id', '=', webhook.id)
      .execute();
    return (await troublesOf(db)).filter(({ subject }) => subject === 'queue:webhooks').length;
  };
  expect(await servedAgo(1)).toBe(0);
  expect(await servedAgo(50)).toBe(1);
});

it('many alerts are sent to many chats', async () => {
  const { db } = database;
  await sql`insert into chats (service, chat_ref, title, kind, alerts)
    select 'telegram', n, 'ops', 'group', '{host_unreachable}' from generate_series(1, 90) n`.execute(db);
  const troubles = Array.from({ length: 201 }, (_, n) => ({
    kind: 'host_unreachable' as const,
    subject: `teepod:many-${n}`,
    severity: 'critical' as const,
    title: 'Down',
    message: 'Down',
  }));
  await withTransaction(db, async (trx) => {
    await notifyChats(trx, await reconcileAlerts(trx, troubles), new Date());
  });
  const { rows } = await sql<{ n: number }>`select count(*) as n from chat_messages`.execute(db);
  expect(rows[0]?.n).toBe(90 * 201);
});
