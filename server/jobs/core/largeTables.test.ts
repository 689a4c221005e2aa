import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announcedUntil } from '../../db/activity/eventRetention';
import { aiUsageByDay, listAiRequests } from '../../db/ai/aiRequests';
import { openAiHours } from '../../db/ai/aiTotals';
import { auditEntriesAfter } from '../../db/audit/auditExport';
import { listAudit } from '../../db/audit/auditQueries';
import { dailyAmounts, usageTotals } from '../../db/billing/usageTotals';
import { createDb, type Db } from '../../db/core/client';
import type { Database } from '../../db/core/schema';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { housekeeping } from './housekeeping';

/**
 * Tables that grow with a region's work and, unlike events, aren't partitioned: frequent reads and deletions
 * must use an index (docs/adr/0013-partitions-for-events-only.md).
 */

const TABLES = ['audit_log', 'ai_requests', 'ai_usage_lines', 'usage_lines'];
/** Rows per table. */
const ROWS = 20_000;
const TEAMS = 20;
/** The key of team 1 that made one request in 1,000. */
const RARE_KEY = 'aik_rare';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fill(database.db, async (trx) => {
    // Without triggers and foreign keys: only the sizes matter.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`insert into ai_keys (id, public_id, team_id, name, secret_hash, secret_prefix, secret_last4)
      overriding system value
      select n, case n when 0 then ${RARE_KEY} else 'aik_' || n end, greatest(n, 1), 'k', sha256(n::text::bytea), 'p', 'l'
      from generate_series(0, ${TEAMS}::int) n`.execute(trx);
    await sql`insert into audit_log (at, actor_kind, team_id, action, target_id, actor_id, seq, prev_hash, hash)
      select now() - (${ROWS}::int - n) * interval '1 second', 'user', n % ${TEAMS} + 1, 'cvm.start', 'cvm_' || n % 1000,
        'usr_' || n % 500, n / ${TEAMS} + 1, '', '' from generate_series(1, ${ROWS}::int) n`.execute(trx);
    await sql`insert into ai_requests (public_id, team_id, key_id, model, endpoint, status, outcome, is_streamed, input_tokens,
        cached_tokens, output_tokens, reasoning_tokens, duration_ms, cost_picos, is_posted, created_at)
      select 'c-' || n, n % ${TEAMS} + 1, case when n % 1000 = 0 then 0 else n % ${TEAMS} + 1 end, 'acme/large',
        'chat.completions', 200, 'completed', false, 1, 0, 1, 0, 1, 1, n < ${ROWS}::int - 200,
        now() - (${ROWS}::int - n) * interval '91 days' / ${ROWS}::int from generate_series(1, ${ROWS}::int) n`.execute(
      trx,
    );
    await sql`insert into retention_notices (kind, team_id, announced_at, starts_at, covers_until)
      select 'ai_requests', n, now() - interval '15 days', now() - interval '1 day', now() from generate_series(1, ${TEAMS}::int) n`.execute(
      trx,
    );
    await sql`insert into ai_usage_lines (team_id, model, key_id, starts_at, effective_at, requests, input_tokens,
        cached_tokens, output_tokens, cost_picos, amount_micros)
      select n % ${TEAMS} + 1, 'acme/large', n % ${TEAMS} + 1, at, at + interval '1 hour', 1, 1, 0, 1, 1000000, 1
      from (select n, date_trunc('hour', now()) - (${ROWS}::int - n) / ${TEAMS} * interval '1 hour' as at
        from generate_series(1, ${ROWS}::int) n) lines`.execute(trx);
    await sql`insert into usage_lines (cvm_id, team_id, basis, starts_at, ends_at, status, vcpu, memory_mb, disk_gb,
        rate_micros, carry, amount_micros)
      select n % 100, n % ${TEAMS} + 1, 'size', at, at + interval '1 hour', 'running', 1, 2048, 20, 58000, 0, 58000
      from (select n, date_trunc('hour', now()) - (${ROWS}::int - n) / 100 * interval '1 hour' as at
        from generate_series(1, ${ROWS}::int) n) lines`.execute(trx);
  });
  for (const table of TABLES) await sql`vacuum analyze ${sql.ref(table)}`.execute(database.db);
  await sql`analyze ai_keys`.execute(database.db);
});
afterAll(() => database.drop());

/** Returns the query plans, with their texts, of the queries on large tables that `work` runs. */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const asked: CompiledQuery[] = [];
  const listening = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void asked.push(query),
  });
  await work(listening);
  const client = await database.pool.connect();
  const plans: string[] = [];
  try {
    // A small table would be read in full despite its indexes.
    await client.query('set enable_seqscan = off');
    for (const { sql: text, parameters } of asked) {
      if (!TABLES.some((table) => text.includes(table))) continue;
      const { rows } = await client.query<Record<string, string>>(`explain ${text}`, [...parameters]);
      plans.push([text, ...rows.map((row) => row['QUERY PLAN'])].join('\n'));
    }
  } finally {
    client.release(true);
  }
  expect(plans).not.toEqual([]);
  return plans;
}

const SCANNED = new RegExp(`Seq Scan on (?:${TABLES.join('|')})\\b`);
const day = 86_400_000;
const now = new Date();
const month = { from: new Date(now.getTime() - 30 * day), to: now };

describe('reads by an index', () => {
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ["a page of a team's audit log", (db) => listAudit(db, { chain: 1 }, { before: 500 }, 50)],
    ['what a user did in it', (db) => listAudit(db, { chain: 1, actor: 'usr_20' }, { before: 500 }, 50)],
    ['what was done to a CVM', (db) => listAudit(db, { chain: 1, target: 'cvm_20' }, { before: 500 }, 50)],
    [
      'what an audit destination receives',
      (db) => auditEntriesAfter(db, { after: 500, up_to: ROWS, limit: 200 }),
    ],
    ['until when the deletion of events was announced', (db) => announcedUntil(db, now)],
    ["a page of a team's AI requests", (db) => listAiRequests(db, { team_id: 1, before: ROWS, limit: 50 })],
    ['those that are not charged yet', (db) => openAiHours(db, 1)],
    ['AI usage by day', (db) => aiUsageByDay(db, 1, month.from, 100)],
    [
      'the usage of a month',
      (db) => usageTotals(db, 1, month, { by: 'app', largest: 10, most: 100, reserved: true }),
    ],
    ['the cost of days', (db) => dailyAmounts(db, 1, now, 30)],
  ])('%s', async (_what, read) => {
    for (const plan of await plansOf(read)) expect(plan).not.toMatch(SCANNED);
  });

  it('the AI requests of a key that made few of its team’s', async () => {
    const [plan] = await plansOf((db) => listAiRequests(db, { team_id: 1, key_id: RARE_KEY, limit: 50 }));
    expect(plan).not.toMatch(SCANNED);
    expect(plan).toMatch(/ai_requests_key\b/);
    const { db } = database;
    expect(await listAiRequests(db, { team_id: 1, key_id: RARE_KEY, limit: 50 })).toHaveLength(ROWS / 1000);
    expect(await listAiRequests(db, { team_id: 2, key_id: RARE_KEY, limit: 50 })).toEqual([]);
  });

  it('the rows that housekeeping deletes', async () => {
    const db = createDb(database.pool);
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from ai_requests`.execute(db)).rows[0]!.n;
    const before = await count();
    const plans = await plansOf((listening) => housekeeping(listening));
    for (const plan of plans) expect(plan).not.toMatch(SCANNED);
    expect(plans.find((plan) => plan.includes('delete from ai_requests'))).toContain('ai_requests_age');
    expect(await count()).toBeLessThan(before);
  });
});
