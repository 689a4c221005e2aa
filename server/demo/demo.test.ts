import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyChains } from '../db/audit/auditVerify';
import { checkBooks } from '../db/billing/checkBooks';
import { verifyLedgers } from '../db/billing/ledgerVerify';
import type { Db } from '../db/core/client';
import { verifyPassword } from '../domain/accounts/password';
import { insertHost } from '../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { fillDemo } from './fill';
import { deleteDemo, DemoFolderError, markDemoFolder, openDemoFolder } from './folder';
import { DEMO_PASSWORD, runningIds } from './scenario';

const NOW = new Date();
const fill = (db: Db) =>
  fillDemo({
    db,
    log: pino({ level: 'fatal' }),
    now: NOW,
    invoicing: {
      review_days: 3,
      due_days: 14,
      tax_rule: 'fixed',
      tax_rate: 1900,
      seller: 'Demo',
      seller_vat_id: null,
    },
    debtDays: { grace: 3, keep: 30, pending: 14 },
    say: () => undefined,
  });

describe('a filled demo', () => {
  let one: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    for (const { db } of [one, other]) await insertHost(db, { name: 'local-teepod' });
    const filled = await Promise.all([fill(one.db), fill(other.db)]);
    expect(filled).toEqual([true, true]);
    // Posts two months of hours, possibly on an overloaded machine.
  }, 400_000);
  afterAll(() => Promise.all([one.drop(), other.drop()]));

  const count = async (db: Db, query: string) =>
    (await sql.raw<{ n: number }>(`select count(*)::int as n from ${query}`).execute(db)).rows[0]?.n;

  it('has three teams with twenty apps, members in every role and CVMs in every state', async () => {
    const { db } = one;
    expect(await count(db, 'teams')).toBe(3);
    expect(await count(db, 'apps')).toBe(20);
    expect(await count(db, 'users')).toBe(8);
    // Longer names, which users can't enter, would be rejected when saved again.
    expect(await count(db, 'teams where length(name) > 100')).toBe(0);
    expect(await count(db, 'users where length(username) > 100')).toBe(0);
    const roles = await db
      .selectFrom('memberships as m')
      .innerJoin('teams as t', 't.id', 'm.team_id')
      .select('m.role')
      .where('t.slug', '=', 'demo-tea')
      .execute();
    expect(roles.map(({ role }) => role).toSorted()).toEqual([
      'admin',
      'billing',
      'member',
      'owner',
      'viewer',
    ]);
    expect(await count(db, `cvms where public_id in ('${runningIds().join("','")}')`)).toBe(
      runningIds().length,
    );
    expect(await count(db, `cvms where status = 'error'`)).toBe(2);
    expect(await count(db, `cvms where purge_at is not null`)).toBe(2);
    expect(await count(db, `revisions where number = 40`)).toBe(1);
    expect(await count(db, 'domains')).toBeGreaterThan(20);
  });

  it('has a month of operations, incidents, notifications and metrics', async () => {
    const { db } = one;
    expect(await count(db, 'operations')).toBeGreaterThan(100);
    expect(await count(db, `events where kind = 'cvm.lost'`)).toBeGreaterThan(3);
    expect(await count(db, `events where created_at < now() - interval '29 days'`)).toBeGreaterThan(10);
    expect(await count(db, `notifications where kind = 'operation_failed'`)).toBeGreaterThan(0);
    // Webhooks and mail are only for current events.
    expect(await count(db, `event_feed where kind like '%.failed'`)).toBe(0);
    const oldest = await db
      .selectFrom('cvm_metric_rollups')
      .select(({ fn }) => [fn.min('at').as('at'), fn.max('cpu').as('cpu')])
      .executeTakeFirstOrThrow();
    expect(NOW.getTime() - oldest.at.getTime()).toBeGreaterThan(30 * 86_400_000);
    expect(oldest.cpu).toBeLessThan(100);
  });

  it('has the operators’ offers and decisions', async () => {
    const { db } = one;
    expect(await count(db, `orders where state = 'active'`)).toBe(1);
    expect(await count(db, 'cvms where order_id is not null')).toBe(1);
    expect(await count(db, 'promotion_redemptions')).toBe(2);
    expect(await count(db, `gpus where fault is not null`)).toBe(1);
    expect(await count(db, `gpu_events where kind = 'reserved'`)).toBe(2);
    expect(await count(db, `finance_actions where state = 'pending'`)).toBe(1);
    expect(await count(db, `notifications where kind = 'finance_action'`), 'asks the administrator').toBe(1);
    expect(await count(db, 'ai_requests')).toBeGreaterThan(900);
    expect(await count(db, 'ai_requests where cost_picos > 0 and not is_posted'), 'all are charged').toBe(0);
    expect(await count(db, `ledger_transactions where source_type = 'ai_hour'`)).toBeGreaterThan(100);
  });

  it('lists events in chronological order', async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from events a join events b
      on b.team_id = a.team_id and b.id = a.id + 1 where b.created_at < a.created_at`.execute(one.db);
    expect(rows[0]?.n).toBe(0);
  });

  it('has a ledger that passes teehouse verify, and last month’s invoices', async () => {
    for (const { db } of [one, other]) {
      expect(await checkBooks(db)).toEqual([]);
      for await (const { broken } of verifyLedgers(db)) expect(broken).toBeNull();
      for await (const { broken } of verifyChains(db)) expect(broken).toBeNull();
    }
    const invoices = await one.db
      .selectFrom('invoices as i')
      .innerJoin('teams as t', 't.id', 'i.team_id')
      .select(['t.slug', 'i.state', 'i.number'])
      .orderBy('t.id')
      .execute();
    // On the first of a month, the demo's 31 days belong to two completed months.
    for (const slug of ['demo-tea', 'demo-extreme']) {
      const own = invoices.filter((invoice) => invoice.slug.startsWith(slug));
      expect(own.length, slug).toBeGreaterThan(0);
      for (const { state, number } of own)
        expect({ state, number }).toEqual({ state: 'paid', number: expect.any(Number) });
    }
    expect(await count(one.db, 'invoice_documents')).toBe(invoices.length);
  });

  it('has a team in debt whose CVMs haven’t been stopped yet', async () => {
    const debts = await one.db
      .selectFrom('debts as d')
      .innerJoin('teams as t', 't.id', 'd.team_id')
      .innerJoin('ledger_balances as b', (join) =>
        join.onRef('b.team_id', '=', 't.id').on('b.account', '=', 'prepaid'),
      )
      .select(['t.slug', 'b.amount_micros', 'd.stops_at'])
      .execute();
    expect(debts).toMatchObject([{ slug: 'demo-debt' }]);
    expect(debts[0]?.amount_micros).toBeLessThan(0);
    expect(debts[0]?.stops_at.getTime()).toBeGreaterThan(NOW.getTime());
  });

  it('lets every user sign in with the printed password, and shows on every page that it is a demo', async () => {
    const users = await one.db.selectFrom('users').select(['password_hash', 'email_verified_at']).execute();
    expect(await verifyPassword(users[0]?.password_hash ?? null, DEMO_PASSWORD)).toBe(true);
    expect(users.every(({ email_verified_at }) => email_verified_at !== null)).toBe(true);
    expect(
      await one.db.selectFrom('announcements').select(['title', 'audience', 'dismissible']).execute(),
    ).toEqual([{ title: 'This is a demo', audience: 'everybody', dismissible: false }]);
  });

  /** Data that must be identical in demos filled in the same hour. */
  const contents = async (db: Db) => {
    const read = async (query: string) => (await sql.raw(query).execute(db)).rows;
    return {
      teams: await read('select public_id, slug, name, wallet_address from teams order by slug'),
      users: await read('select public_id, email from users order by email'),
      apps: await read('select public_id, app_id, name from apps order by public_id'),
      revisions: await read('select public_id, compose_hash, created_at from revisions order by public_id'),
      cvms: await read('select public_id, vm_uuid, name, status, hourly_rate_micros from cvms order by 1'),
      operations: await read('select correlation_id, type, state, created_at from operations order by 1'),
      events: await read(
        'select kind, message, created_at from events order by created_at, kind, message, cvm_id',
      ),
      balances: await read('select team_id, account, amount_micros from ledger_balances order by 1, 2'),
      usage: await read(
        'select team_id, count(*)::int, sum(amount_micros)::text from usage_lines group by 1 order by 1',
      ),
      invoices: await read('select team_id, period_start, state, total_cents from invoices order by 1, 2'),
      payments: await read('select public_id, reference, received_micros from payments order by 1'),
      notifications: await read(
        'select kind, title, message from notifications order by kind, title, message, user_id',
      ),
      ai: await read('select public_id, model, created_at, cost_picos from ai_requests order by 1'),
      orders: await read('select team_id, name, state, price_micros from orders order by 1'),
      gpus: await read('select slot, reserved_team_id, fault from gpus order by 1'),
      metrics: await read(
        'select step, count(*)::int, sum(cpu)::int from cvm_metric_rollups group by 1 order by 1',
      ),
    };
  };

  it('is deterministic', async () => {
    expect(await contents(other.db)).toEqual(await contents(one.db));
  });

  it('is not filled twice', async () => {
    const before = await contents(one.db);
    expect(await fill(one.db)).toBe(false);
    expect(await contents(one.db)).toEqual(before);
  });
});

it('is not written into a database with accounts', async () => {
  const database = await createTestDatabase();
  try {
    await database.db
      .insertInto('users')
      .values({ public_id: 'usr_1', email: 'ada@example.test', username: 'ada' })
      .execute();
    await expect(fill(database.db)).rejects.toThrow('has accounts');
    expect(await database.db.selectFrom('teams').select('id').execute()).toEqual([]);
  } finally {
    await database.drop();
  }
});

describe('a demo’s folder', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'teehouse-demo-'));
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('is marked when new, and records the demo’s progress', async () => {
    const folder = path.join(parent, 'new');
    expect(await openDemoFolder(folder)).toBe('new');
    await markDemoFolder(folder, 'filled');
    expect(await openDemoFolder(folder)).toBe('filled');
  });

  it.each([
    ['without the mark', 'PG_VERSION', '18'],
    ['with a file of the same name that is no mark', 'teehouse-demo.json', '{"stage":"new"}'],
  ])('is refused %s, without changes to it', async (_what, file, text) => {
    const folder = await mkdtemp(path.join(parent, 'real-'));
    await writeFile(path.join(folder, file), text);
    await expect(openDemoFolder(folder)).rejects.toThrow(DemoFolderError);
    await expect(deleteDemo(folder)).rejects.toThrow(DemoFolderError);
    expect(await readdir(folder)).toEqual([file]);
    expect(await readFile(path.join(folder, file), 'utf8')).toBe(text);
  });

  it('is deleted with everything in it on reset', async () => {
    const folder = path.join(parent, 'reset');
    await openDemoFolder(folder);
    await mkdir(path.join(folder, 'postgres'));
    await writeFile(path.join(folder, 'postgres/PG_VERSION'), '18');
    await deleteDemo(folder);
    expect(await readdir(parent)).not.toContain('reset');
    await deleteDemo(folder);
  });

  it('is not deleted while a server uses it', async () => {
    const folder = path.join(parent, 'used');
    await openDemoFolder(folder);
    const { acquireLock } = await import('../db/core/postgres/lock');
    const lock = await acquireLock(path.join(folder, 'lock'), 'server', 'the server');
    await expect(deleteDemo(folder)).rejects.toThrow('Stop it first');
    expect(await openDemoFolder(folder)).toBe('new');
    if ('release' in lock) await lock.release();
  });
});
