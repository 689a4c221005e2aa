import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSeal } from '../../domain/core/seal';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { insertTeam, insertTestWebhook } from '../../testing/teamFixtures';
import { housekeeping } from './housekeeping';

let database: TestDatabase;
const seal = createSeal(Buffer.from('s'.repeat(40)));
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('keeps the newest error reports that fit the size limit', async () => {
  const { db } = database;
  for (const name of ['old', 'middle', 'new'])
    await db
      .insertInto('monitoring_events')
      .values({ organization: '1', project: '2', kind: 'event', message: name, envelope: 'x'.repeat(1000) })
      .execute();
  await housekeeping(db, 2_500);
  const kept = await db.selectFrom('monitoring_events').select('message').orderBy('id').execute();
  expect(kept.map(({ message }) => message)).toEqual(['middle', 'new']);
});

it('deletes unsent mail after a week, and delivery records after a month', async () => {
  const { db } = database;
  const written = async (state: 'kept' | 'failed' | 'sent' | 'queued', days: number) => {
    const at = new Date(Date.now() - days * 86_400_000);
    await db
      .insertInto('outbox')
      .values({
        message_id: `<${state}-${days}@example.test>`,
        to: `${state}-${days}@example.test`,
        template: 'verify_email',
        subject: 'x',
        state,
        sealed_content: state === 'sent' ? null : 'v1.sealed',
        next_attempt_at: state === 'queued' ? at : null,
        sent_at: state === 'sent' ? at : null,
        created_at: at,
      })
      .execute();
  };
  for (const state of ['kept', 'failed', 'sent', 'queued'] as const)
    for (const days of [6, 8, 31]) await written(state, days);
  await housekeeping(db);
  const rows = await db.selectFrom('outbox').select(['to', 'sealed_content']).orderBy('id').execute();
  expect(rows.map((row) => `${row.to.split('@')[0]}${row.sealed_content === null ? '' : ' sealed'}`)).toEqual(
    [
      'kept-6 sealed',
      'failed-6 sealed',
      'failed-8',
      'sent-6',
      'sent-8',
      'queued-6 sealed',
      'queued-8 sealed',
      'queued-31 sealed',
    ],
  );
});

it('forgets every expired nonce of an encrypted request, and none that could be replayed', async () => {
  const { db, pool } = database;
  await fill(db, (trx) =>
    sql`insert into ai_e2ee_nonces (hash, created_at)
    select sha256(n::text::bytea), now() - interval '16 minutes' from generate_series(1, 12000) n
    union all select sha256('recent'), now() - interval '14 minutes'`.execute(trx),
  );
  await housekeeping(db);
  const { rows } = await pool.query(`select hash = sha256('recent') as recent from ai_e2ee_nonces`);
  expect(rows).toEqual([{ recent: true }]);
});

it('deletes more expired rows per run than one statement may', async () => {
  const { db } = database;
  const expired = Date.now() - 60_000;
  await fill(db, (trx) =>
    sql`insert into rate_limits (key, points, expire)
      select 'test:' || n, 1, ${expired}::bigint from generate_series(1, 12000) n`.execute(trx),
  );
  await sql`insert into rate_limits (key, points, expire) values ('test:live', 1, ${Date.now() + 3_600_000}::bigint)`.execute(
    db,
  );
  await housekeeping(db);
  const { rows } = await sql`select key from rate_limits where key like 'test:%'`.execute(db);
  expect(rows).toEqual([{ key: 'test:live' }]);
});

it('forgets the metrics of all CVMs deleted in a minute, even of hundreds', async () => {
  const { db } = database;
  const { id: team_id } = await insertTeam(db, 'churning');
  const host = await insertHost(db);
  const { id } = await insertCvm(db, { ...(await insertApp(db, { team_id, host, name: 'churning' })), host });
  await fill(db, async (trx) => {
    await sql`
      insert into cvms (public_id, vm_uuid, team_id, app_id, revision_id, teepod_id, kms_id, name, status, desired,
        instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, public_logs, public_sysinfo,
        public_tcbinfo, deleted_at)
      select 'cvm_gone' || n, gen_random_uuid(), team_id, app_id, revision_id, teepod_id, kms_id, 'gone-' || n, 'deleted',
        'deleted', instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, true, true, true,
        now() - interval '2 hours'
      from cvms, generate_series(1, 300) n where id = ${id}`.execute(trx);
    await sql`
      insert into cvm_metric_state (cvm_id, sampled_at, uptime_seconds, source, num_cpus, memory_total, swap_total, disk_total)
      select id, now(), 0, 'guest', 0, 0, 0, 0 from cvms`.execute(trx);
  });
  await housekeeping(db);
  const { rows } = await sql`select cvm_id from cvm_metric_state`.execute(db);
  expect(rows).toEqual([{ cvm_id: id }]);
});

it('continues after a statement that fails, and reports it', async () => {
  const { db, pool } = database;
  await pool.query(`
    insert into workers (id, hostname, pid, role, version, seen_at) values ('gone', 'a', 1, 'web', '1', '2000-01-01');
    insert into rate_limits (key, points, expire) values ('test:stuck', 1, 1);
    create function refuse_delete() returns trigger language plpgsql as $$ begin raise exception 'too slow'; end $$;
    create trigger refuse before delete on rate_limits for each row execute function refuse_delete()`);
  await expect(housekeeping(db)).rejects.toThrow('too slow');
  await pool.query('drop trigger refuse on rate_limits');
  expect((await pool.query(`select id from workers where id = 'gone'`)).rows).toEqual([]);
});

it('keeps the chat messages about alerts that last longer than a month', async () => {
  const { db, pool } = database;
  await pool.query(`
    insert into chats (service, chat_ref, title, kind, alerts) values ('telegram', '1', 'ops', 'group', '{}');
    insert into alerts (kind, subject, severity, title, message, resolved_at)
      values ('backup_old', 'backup', 'warning', 'lasts', '', null), ('mail_failing', 'mail', 'warning', 'over', '', now());
    insert into chat_messages (chat_id, alert_id, part, state, message_ref, created_at)
      select c.id, a.id, 'alert', 'sent', '7', now() - interval '31 days' from chats c, alerts a`);
  await housekeeping(db);
  const { rows } = await pool.query('select title from chat_messages m join alerts a on a.id = m.alert_id');
  expect(rows).toEqual([{ title: 'lasts' }]);
});

it('announces what it will delete for its age, and deletes it two weeks later', async () => {
  const { db } = database;
  const at = (days: number) => sql`now() - make_interval(days => ${days}::int)`;
  // More than one statement deletes.
  await sql`insert into alerts (kind, subject, severity, title, message, resolved_at)
    select 'backup_old', 'long over', 'warning', 'x', '', ${at(91)} from generate_series(1, 5001)`.execute(
    db,
  );
  await sql`insert into events (team_id, kind, message, created_at)
    select id, 'team.note', 'long ago', ${at(401)} from teams order by id limit 1`.execute(db);
  const left = async () => {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from alerts where subject = 'long over')
        + (select count(*) from events where message = 'long ago') as n`.execute(db);
    return Number(rows[0]?.n);
  };
  await housekeeping(db);
  expect(await left()).toBe(5002);
  const announced = await db
    .selectFrom('audit_log')
    .select(['action', 'target_id'])
    .where('action', 'like', '%.expiry')
    .where('team_id', 'is', null)
    .orderBy('id')
    .execute();
  expect(announced).toEqual([
    { action: 'events.expiry', target_id: null },
    { action: 'retention.expiry', target_id: 'alerts' },
  ]);
  await sql`update retention_notices set starts_at = starts_at - interval '14 days'`.execute(db);
  await housekeeping(db);
  // Its team has its turn to be notified within the hour.
  expect(await left()).toBe(1);
});

it('deletes notifications past their age or beyond their number, and error reports past their age', async () => {
  const { db } = database;
  const team = await insertTeam(db, 'notified');
  await sql`insert into users (public_id, email, username) values ('usr_told', 'told@example.test', 'told')`.execute(
    db,
  );
  await sql`insert into memberships (team_id, user_id, role)
    select ${team.id}, id, 'owner' from users where public_id = 'usr_told'`.execute(db);
  const add = (title: string, count: number, days: number) =>
    sql`insert into notifications (public_id, team_id, user_id, kind, subject, severity, title, message, created_at, updated_at)
      select ${title} || n, ${team.id}, u.id, 'order', ${title} || n, 'info', ${title}, '', at, at
      from users u, generate_series(1, ${count}::int) n, (select now() - make_interval(days => ${days}::int) as at) t
      where u.public_id = 'usr_told'`.execute(db);
  await add('first', 10, 89);
  await add('newest', 495, 0);
  // Not beyond their number.
  await add('old', 1, 91);
  await sql`insert into monitoring_events (organization, project, kind, message, envelope, received_at)
    values ('1', '2', 'event', 'past its age', 'x', now() - interval '31 days')`.execute(db);
  await housekeeping(db);
  const { rows } = await sql<{ title: string; count: number }>`
    select title, count(*)::int as count from notifications group by title order by title`.execute(db);
  expect(rows).toEqual([
    { title: 'first', count: 5 },
    { title: 'newest', count: 495 },
  ]);
  const reports = await db.selectFrom('monitoring_events').select('message').execute();
  expect(reports.map(({ message }) => message)).not.toContain('past its age');
});

it('deletes events and webhook deliveries once that was announced', async () => {
  const { db } = database;
  const team = await insertTeam(db, 'listening');
  await sql`insert into audit_log (actor_kind, action, after, at)
    values ('system', 'events.expiry', json_build_object('created_before', now() - interval '1 day'), now() - interval '15 days')`.execute(
    db,
  );
  await sql`insert into retention_notices (kind, team_id, announced_at, starts_at, covers_until)
    select kind, ${team.id}, now(), now(), now() + interval '1 day' from unnest(array['events', 'webhook_deliveries_limit']) kind`.execute(
    db,
  );
  await sql`insert into events (team_id, kind, message, created_at)
    values (${team.id}, 'team.note', 'announced', now() - interval '401 days')`.execute(db);
  // Each run counts the deliveries of some webhooks, by the minute.
  const minute = new Date().getMinutes();
  for (let i = 0; i < 60; i++) await insertTestWebhook(db, seal, { team, url: 'http://127.0.0.1:9' });
  await sql`update webhooks set last_leased_at = now()`.execute(db);
  await sql`insert into webhook_deliveries (webhook_id, event_id, event, body, state, finished_at)
    select id, gen_random_uuid()::text, 'cvm.created', '{}', 'delivered', now()
    from webhooks, generate_series(1, 10001) where id % 60 in (${minute}::int, ${(minute + 1) % 60}::int)`.execute(
    db,
  );
  await housekeeping(db);
  const { rows } = await sql<{ webhooks: number; events: number }>`
    select (select count(*)::int from (
        select from webhook_deliveries group by webhook_id having count(*) = 10000) w) as webhooks,
      (select count(*)::int from events where message = 'announced') as events`.execute(db);
  expect(rows).toEqual([{ webhooks: 1, events: 0 }]);
});
