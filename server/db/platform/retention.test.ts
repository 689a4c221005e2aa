import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOTICE_DAYS, PERIOD_DAYS } from '../../../console/lib/activity/retention';
import type { TeamRole } from '../../domain/core/caller';
import { publicId } from '../../domain/core/publicId';
import { createSeal } from '../../domain/core/seal';
import { insertApp, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { announceDeletions } from '../../testing/announceDeletions';
import { insertTeam, insertTestWebhook, type TestTeam } from '../../testing/teamFixtures';
import type { Db } from '../core/client';
import { forgetExpired } from './expiring';
import { announceExpiry, announceLimit } from './retention';

let database: TestDatabase;
let db: Db;
let host: TestHost;
let team: TestTeam;
let count = 0;
const seal = createSeal(Buffer.from('s'.repeat(40)));

beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  host = await insertHost(db);
});
beforeEach(async () => {
  team = await insertTeam(db, `kept-${++count}`);
  await sql`delete from retention_notices`.execute(db);
});
afterAll(() => database.drop());

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const announce = (now?: Date, of = team) =>
  announceExpiry(db, { minute: of.id % 60, ...(now ? { now } : {}) });

async function member(role: TeamRole, of = team): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into users (public_id, email, username, state, email_verified_at)
    values (${publicId('usr')}, ${`${publicId('usr')}@example.test`}, 'Ada', 'active', now()) returning id`.execute(
    db,
  );
  const { id } = rows[0]!;
  await db.insertInto('memberships').values({ team_id: of.id, user_id: id, role }).execute();
  return id;
}

const notices = (user_id: number) =>
  db
    .selectFrom('notifications')
    .select(['kind', 'title', 'message', 'severity', 'mail_due_at', 'count'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute();

async function entries(team_id: number | null, action = 'retention.expiry') {
  const rows = await db
    .selectFrom('audit_log')
    .select(['actor_kind', 'target_kind', 'target_id', 'after'])
    .where('action', '=', action)
    .where('team_id', team_id === null ? 'is' : '=', team_id)
    .orderBy('id')
    .execute();
  return rows.map(({ after, ...row }) => ({ ...row, after: after as Record<string, unknown> }));
}

async function addDelivery(days: number, of = team): Promise<void> {
  const { webhook } = await insertTestWebhook(db, seal, { team: of, url: 'http://127.0.0.1:9' });
  await sql`insert into webhook_deliveries (webhook_id, event_id, event, body, state, finished_at, created_at)
    values (${webhook.id}, gen_random_uuid()::text, 'cvm.created', '{}', 'delivered', now(),
      now() - make_interval(days => ${days}::int))`.execute(db);
}
const deliveries = async (of = team) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.team_id = ${of.id}`.execute(
    db,
  );
  return rows[0]!.n;
};

describe('data of a team', () => {
  it('is announced two weeks before the first of it is deleted, to those who manage the team', async () => {
    const [owner, admin, builder] = [await member('owner'), await member('admin'), await member('member')];
    await addDelivery(14);
    await announce();
    expect(await entries(team.id)).toEqual([]);
    await addDelivery(16);
    await announce();
    const [entry, ...more] = await entries(team.id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      actor_kind: 'system',
      target_kind: 'retention',
      target_id: 'webhook_deliveries',
      after: { kept_days: 30, export: 'GET /workspaces/{slug}/webhook-deliveries/export' },
    });
    const from = Date.parse(String(entry!.after.deleted_from));
    expect(Math.abs(from - inDays(NOTICE_DAYS).getTime())).toBeLessThan(60_000);
    for (const user of [owner, admin]) {
      const [told, ...others] = await notices(user);
      expect(others).toEqual([]);
      expect(told).toMatchObject({
        kind: 'retention',
        severity: 'info',
        title: 'Old webhook deliveries will be deleted',
      });
      expect(told!.message).toMatch(
        /^Webhook deliveries are kept for 30 days\. Older ones are deleted starting \w+ \d+, \d{4}\./,
      );
      expect(told!.mail_due_at).not.toBeNull();
    }
    expect(await notices(builder)).toEqual([]);
  });

  it('is announced with the time from which it is deleted, and the age that is covered', async () => {
    const owner = await member('owner');
    const last = async (what: 'deleted_from' | 'created_before') => {
      const { after } = (await entries(team.id)).at(-1)!;
      return (Date.parse(String(after[what])) - Date.now()) / DAY;
    };
    await addDelivery(15);
    await announce();
    expect(await last('deleted_from')).toBeCloseTo(15, 1);
    expect(await last('created_before')).toBeCloseTo(NOTICE_DAYS + 1 - 30 + PERIOD_DAYS, 1);
    await announce(inDays(PERIOD_DAYS + 0.5));
    expect((await notices(owner)).at(-1)!.message).toContain('Older ones continue to be deleted.');
    await sql`delete from retention_notices`.execute(db);
    await addDelivery(50);
    await announce();
    expect(await last('deleted_from')).toBeCloseTo(NOTICE_DAYS, 1);
  });

  it('is announced once per period, and to no team without such data', async () => {
    const owner = await member('owner');
    const other = await insertTeam(db, `other-${count}`);
    await addDelivery(20);
    for (let hour = 0; hour < 3; hour++) await announce(inDays(hour / 24));
    await announce(inDays(PERIOD_DAYS - 2));
    await announce(inDays(PERIOD_DAYS - 2), other);
    expect(await entries(team.id)).toHaveLength(1);
    expect(await entries(other.id)).toEqual([]);
    // The next period begins, and there is still something to delete.
    await announce(inDays(PERIOD_DAYS + 1));
    expect(await entries(team.id)).toHaveLength(2);
    const told = await notices(owner);
    expect(told.map(({ count: times }) => times)).toEqual([1, 1]);
  });

  it('is deleted only once its own announcement is two weeks old', async () => {
    const late = await insertTeam(db, `late-${count}`);
    await addDelivery(40);
    await addDelivery(29);
    await addDelivery(40, late);
    // As after an upgrade: due for long, but nobody was notified.
    await forgetExpired(db);
    expect(await deliveries()).toBe(2);
    await announce();
    await forgetExpired(db);
    expect(await deliveries()).toBe(2);
    const pass = (days: number) =>
      sql`update retention_notices set starts_at = starts_at - make_interval(days => ${days}::int)`.execute(
        db,
      );
    await pass(13);
    await forgetExpired(db);
    expect(await deliveries()).toBe(2);
    await pass(2);
    await forgetExpired(db);
    expect(await deliveries()).toBe(1);
    await announce(undefined, late);
    await forgetExpired(db);
    expect(await deliveries(late)).toBe(1);
  });

  it('waits again if announcements stopped for a while, but not from one period to the next', async () => {
    await addDelivery(20);
    await announce();
    const starts = async () => {
      const row = await db
        .selectFrom('retention_notices')
        .select('starts_at')
        .where('team_id', '=', team.id)
        .executeTakeFirstOrThrow();
      return row.starts_at;
    };
    const first = await starts();
    // Half a day after the end of what was covered: 15 days before that is 30 days old.
    const next = PERIOD_DAYS + 0.5;
    await announce(inDays(next));
    expect(await starts()).toEqual(first);
    const [, again] = await entries(team.id);
    expect(again).toBeDefined();
    const lapsed = next + PERIOD_DAYS + 5;
    await announce(inDays(lapsed));
    expect(Math.abs((await starts()).getTime() - inDays(lapsed + NOTICE_DAYS).getTime())).toBeLessThan(
      60_000,
    );
  });

  it('beyond what an announcement covers is kept', async () => {
    await addDelivery(40);
    await announceDeletions(db);
    await sql`update retention_notices set covers_until = now() - interval '41 days'`.execute(db);
    await forgetExpired(db);
    expect(await deliveries()).toBe(1);
    await sql`update retention_notices set covers_until = now() - interval '39 days'`.execute(db);
    await forgetExpired(db);
    expect(await deliveries()).toBe(0);
  });

  it('of a deleted team is deleted without an announcement', async () => {
    const owner = await member('owner');
    await addDelivery(40);
    await sql`update teams set deleted_at = now() where id = ${team.id}`.execute(db);
    await announce();
    await forgetExpired(db);
    expect(await deliveries()).toBe(0);
    expect(await notices(owner)).toEqual([]);
    expect(await entries(team.id)).toEqual([]);
  });

  it('is checked in its team’s minute', async () => {
    await addDelivery(40);
    await announceExpiry(db, { minute: (team.id + 1) % 60 });
    expect(await entries(team.id)).toEqual([]);
    await announceExpiry(db, { minute: team.id % 60 });
    expect(await entries(team.id)).toHaveLength(1);
  });
});

describe('every kind of data', () => {
  /** Inserts one row of this age. */
  const add: Record<string, (days: number) => Promise<unknown>> = {
    webhook_deliveries: (days) => addDelivery(days),
    rollouts: async (days) => {
      const { app, revision } = await insertApp(db, { team_id: team.id, host, name: publicId('prj') });
      await sql`insert into rollouts (public_id, team_id, app_id, revision_id, state, settle_seconds, health_timeout_seconds,
          finished_at, deadline_at, created_at)
        select ${publicId('rol')}, ${team.id}, ${app.id}, ${revision.id}, 'succeeded', 1, 1, at, at, at
        from (select now() - make_interval(days => ${days}::int) as at) t`.execute(db);
    },
    ai_requests: async (days) => {
      const { rows } = await sql<{ id: number }>`
        insert into ai_keys (public_id, team_id, name, secret_hash, secret_prefix, secret_last4)
        values (${publicId('aik')}, ${team.id}, 'Bot', sha256(gen_random_uuid()::text::bytea), 'p', '0000') returning id`.execute(
        db,
      );
      await sql`insert into ai_requests (public_id, team_id, key_id, model, endpoint, status, outcome, is_streamed,
          input_tokens, cached_tokens, output_tokens, reasoning_tokens, duration_ms, cost_picos, created_at)
        values (${publicId('chatcmpl')}, ${team.id}, ${rows[0]!.id}, 'm', 'chat.completions', 200, 'completed', false,
          1, 0, 1, 0, 1, 0, now() - make_interval(days => ${days}::int))`.execute(db);
    },
    alerts: (days) =>
      sql`insert into alerts (kind, subject, severity, title, message, resolved_at)
        values ('backup_old', gen_random_uuid()::text, 'warning', 'over', '', now() - make_interval(days => ${days}::int))`.execute(
        db,
      ),
    bulk_jobs: async (days) => {
      const user = await member('owner');
      await sql`insert into admin_bulk_jobs (resource, action, operation, user_id, request_id, total, state, finished_at)
        values ('outbox', 'retry', 'retryAdminOutbox', ${user}, 'req', 1, 'finished', now() - make_interval(days => ${days}::int))`.execute(
        db,
      );
    },
    gpu_events: async (days) => {
      const { rows } = await sql<{ id: number }>`
        insert into gpus (teepod_id, slot, product_id) values (${host.teepod.id}, gen_random_uuid()::text, '10de:2335')
        returning id`.execute(db);
      await sql`update gpu_events set at = now() - make_interval(days => ${days}::int) where gpu_id = ${rows[0]!.id}`.execute(
        db,
      );
    },
    abuse_reports: async (days) => {
      const { app } = await insertApp(db, { team_id: team.id, host, name: publicId('prj') });
      await sql`insert into abuse_reports (app_id, kind, text, state, decided_at)
        values (${app.id}, 'phishing', 'x', 'dismissed', now() - make_interval(days => ${days}::int))`.execute(
        db,
      );
    },
  };
  const TABLES: Record<string, string> = { bulk_jobs: 'admin_bulk_jobs' };
  const DAYS: Record<string, number> = {
    webhook_deliveries: 30,
    rollouts: 365,
    ai_requests: 90,
    alerts: 90,
    bulk_jobs: 90,
    gpu_events: 365,
    abuse_reports: 365,
  };

  it.each(Object.keys(DAYS))('%s: announced, then deleted at its age', async (kind) => {
    const days = DAYS[kind]!;
    const table = TABLES[kind] ?? kind;
    await sql`delete from ${sql.table(table)}`.execute(db);
    const rows = async () => {
      const { rows: found } = await sql<{
        n: number;
      }>`select count(*)::int as n from ${sql.table(table)}`.execute(db);
      return found[0]!.n;
    };
    const isPlatforms = ['alerts', 'bulk_jobs', 'gpu_events', 'abuse_reports'].includes(kind);
    const about = async () =>
      (await entries(isPlatforms ? null : team.id)).filter(({ target_id }) => target_id === kind);
    await add[kind]!(days - 1);
    await add[kind]!(days + 1);
    await forgetExpired(db);
    expect(await rows()).toBe(2);
    await announce();
    await announce();
    expect(await about()).toMatchObject([
      { after: { kept_days: days, export: expect.any(String) as string } },
    ]);
    await forgetExpired(db);
    expect(await rows()).toBe(2);
    await announceDeletions(db);
    await forgetExpired(db);
    expect(await rows()).toBe(1);
  });

  it('alerts: announced 15 days ahead, and kept beyond what an announcement covers', async () => {
    await sql`delete from alerts`.execute(db);
    const ofAlerts = async () => (await entries(null)).filter(({ target_id }) => target_id === 'alerts');
    const before = (await ofAlerts()).length;
    const about = async () => (await ofAlerts()).slice(before);
    await add.alerts!(70);
    await announce();
    expect(await about()).toEqual([]);
    await add.alerts!(75);
    await announce();
    const [first, ...more] = await about();
    expect(more).toEqual([]);
    const days = (text: unknown) => (Date.parse(String(text)) - Date.now()) / DAY;
    expect(days(first?.after.deleted_from)).toBeCloseTo(15, 1);
    expect(days(first?.after.created_before)).toBeCloseTo(15 - 90 + PERIOD_DAYS, 1);
    await add.alerts!(100);
    await add.gpu_events!(400);
    await announceDeletions(db);
    const cover = (days: number) =>
      sql`update retention_notices set covers_until = ${inDays(days)} where kind = 'alerts'`.execute(db);
    await cover(-500);
    const alerts = () => db.selectFrom('alerts').select('id').execute();
    await forgetExpired(db);
    expect(await alerts()).toHaveLength(3);
    // Each kind has its own.
    const gpuEvents = db.selectFrom('gpu_events').select('id').where('at', '<', inDays(-366));
    expect(await gpuEvents.execute()).toEqual([]);
    await cover(-99);
    await forgetExpired(db);
    expect(await alerts()).toHaveLength(2);
    await add.alerts!(95);
    await sql`delete from retention_notices`.execute(db);
    await announce();
    expect(days((await about()).at(-1)?.after.deleted_from)).toBeCloseTo(NOTICE_DAYS, 1);
  });

  it('events: announced to the team, besides the platform', async () => {
    const owner = await member('owner');
    await sql`insert into events (team_id, kind, message, created_at)
      values (${team.id}, 'a.b', 'x', now() - interval '390 days')`.execute(db);
    await announce();
    expect(await entries(team.id)).toMatchObject([{ target_id: 'events', after: { kept_days: 400 } }]);
    expect(await notices(owner)).toMatchObject([{ title: 'Old events will be deleted' }]);
  });
});

describe('data beyond its number', () => {
  it('may be deleted an hour after the announcement, which is made once per period', async () => {
    const owner = await member('owner');
    const at = (hours: number) => inDays(hours / 24);
    const allowed = async (hours: number) => [
      ...(await announceLimit(
        db,
        'webhook_deliveries',
        [{ team_id: team.id }, { team_id: team.id }],
        at(hours),
      )),
    ];
    expect(await allowed(0)).toEqual([]);
    expect(await allowed(0.9)).toEqual([]);
    expect(await allowed(1.1)).toEqual([team.id]);
    expect(await allowed(24 * (PERIOD_DAYS - 1))).toEqual([team.id]);
    expect(await entries(team.id, 'retention.limit')).toMatchObject([
      {
        target_id: 'webhook_deliveries',
        after: { kept_of_each_webhook: 10_000, export: 'GET /workspaces/{slug}/webhook-deliveries/export' },
      },
    ]);
    const [told, ...more] = await notices(owner);
    expect(more).toEqual([]);
    expect(told).toMatchObject({ title: 'Webhook deliveries are close to their limit' });
    expect(await allowed(24 * PERIOD_DAYS + 1)).toEqual([team.id]);
    expect(await entries(team.id, 'retention.limit')).toHaveLength(2);
    // The other kind has its own announcement.
    expect([...(await announceLimit(db, 'events', [{ team_id: team.id }], at(2)))]).toEqual([]);
    expect(await announceLimit(db, 'events', [], at(2))).toEqual(new Set());
  });
});
