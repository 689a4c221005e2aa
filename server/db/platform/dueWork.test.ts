import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { dueWork, type DueWork } from './dueWork';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const HOUR = '1 hour';
const PAST = sql`now() - ${HOUR}::interval`;
const FUTURE = sql`now() + ${HOUR}::interval`;
const DEAD = { lease_owner: 'a dead worker', lease_until: PAST };

/** Returns what is due with one row in an unconstrained copy of the table, which hides the real one. */
const dueWith = (table: string, row: Record<string, unknown>): Promise<DueWork> =>
  database.db.transaction().execute(async (trx) => {
    const copy = sql.table(`pg_temp.${table}`);
    const columns = Object.keys(row);
    await sql`create temporary table ${sql.table(table)} on commit drop as
      select * from ${sql.table(`public.${table}`)} limit 0`.execute(trx);
    await sql`insert into ${copy} (${sql.join(columns.map((column) => sql.ref(column)))})
      values (${sql.join(Object.values(row))})`.execute(trx);
    return dueWork(trx);
  });

it.each<[keyof DueWork, table: string, due: Record<string, unknown>[], not: Record<string, unknown>[]]>([
  [
    'operations',
    'operations',
    [{ state: 'queued' }, { state: 'running', ...DEAD }],
    [{ state: 'succeeded' }],
  ],
  [
    'rollouts',
    'rollouts',
    [{ state: 'queued' }, { state: 'running', ...DEAD }, { state: 'reverting' }],
    [{ state: 'succeeded' }],
  ],
  ['drains', 'drains', [{ state: 'running', ...DEAD }, { state: 'blocked' }], [{ state: 'canceled' }]],
  ['bulk_jobs', 'admin_bulk_jobs', [{ state: 'queued' }, { state: 'running', ...DEAD }], [{ state: 'done' }]],
  ['events', 'event_feed', [{ id: 1 }], []],
  [
    'webhook_deliveries',
    'webhook_deliveries',
    [{ state: 'pending', next_attempt_at: PAST }],
    [
      { state: 'pending', next_attempt_at: FUTURE },
      { state: 'delivered', next_attempt_at: PAST },
    ],
  ],
  ['webhooks', 'webhooks', [DEAD], [{ lease_owner: null }]],
  ['audit_destinations', 'audit_destinations', [{ state: 'active' }, DEAD], [{ state: 'paused' }]],
  [
    'mail',
    'outbox',
    [
      { state: 'queued', next_attempt_at: PAST },
      { state: 'sending', ...DEAD },
    ],
    [{ state: 'queued', next_attempt_at: FUTURE }, { state: 'sent' }],
  ],
  ['chat_bots', 'chat_bots', [{ service: 'telegram' }], []],
  [
    'chat_messages',
    'chat_messages',
    [{ state: 'waiting' }, { state: 'sending', ...DEAD }],
    [{ state: 'sent' }],
  ],
  [
    'scheduled_stops',
    'cvms',
    [{ scheduled_stop_at: FUTURE }],
    [{ scheduled_stop_at: PAST, deleted_at: PAST }, { scheduled_stop_at: null }],
  ],
  [
    'scheduled_deletions',
    'cvms',
    [{ scheduled_delete_at: FUTURE }],
    [{ scheduled_delete_at: PAST, deleted_at: PAST }, { scheduled_delete_at: null }],
  ],
  ['recycled_cvms', 'cvms', [{ purge_at: FUTURE }], [{ purge_at: null }]],
  [
    'domains',
    'domains',
    [{ next_check_at: PAST }, { next_check_at: FUTURE, lease_until: FUTURE }],
    [{ next_check_at: FUTURE }],
  ],
])('%s are due with a row to work on, and only then', async (kind, table, due, not) => {
  for (const row of due) expect(await dueWith(table, row), JSON.stringify(row)).toHaveProperty(kind, true);
  for (const row of not) expect(await dueWith(table, row)).toHaveProperty(kind, false);
});
