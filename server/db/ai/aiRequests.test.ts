import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAiRequests } from '../../jobs/billing/testing/aiRequests';
import { startBooks } from '../../jobs/billing/testing/books';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { findReceipt, receiptQuery } from './aiRequests';

let database: TestDatabase;
let teams: number[];
let keys: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const books = await startBooks(database);
  teams = [await books.team(), await books.team()];
  const request = startAiRequests(db);
  const add = (team: number, request_id: string, receipt_id: string) =>
    request(
      teams[team]!,
      { at: new Date().toISOString(), cost_picos: 0 },
      { request_id, receipt_id, receipt: { receipt_id } },
    );
  await add(0, 'chatcmpl-1', 'rcpt_first');
  await add(0, 'chatcmpl-1', 'rcpt_second');
  await add(1, 'chatcmpl-1', 'rcpt_other');
  // A model server that names its answer like another answer's receipt.
  await add(0, 'rcpt_first', 'rcpt_third');
  const rows = await db.selectFrom('ai_keys').select(['id', 'team_id']).execute();
  keys = teams.map((id) => rows.find(({ team_id }) => team_id === id)!.id);
  // Enough that reading all of a key's requests would cost more than using an index.
  await sql`
    insert into ai_requests (public_id, team_id, key_id, model, endpoint, status, outcome, is_streamed, input_tokens,
      cached_tokens, output_tokens, reasoning_tokens, duration_ms, cost_picos, receipt_id, receipt)
    select 'chatcmpl-many-' || n, ${teams[0]}, ${keys[0]}, 'acme/large', 'chat.completions', 200, 'completed', false, 1,
      0, 1, 0, 1, 0, 'rcpt_many_' || n, '{}'
    from generate_series(1, 5000) as n`.execute(db);
  await sql`analyze ai_requests`.execute(db);
});
afterAll(() => database.drop());

const found = async (key: number, id: string) => findReceipt(database.db, keys[key]!, id);

describe('the receipt of an answer', () => {
  it("belongs to the newest answer if a model server repeats the ID, and to the caller's key", async () => {
    expect(await found(0, 'chatcmpl-1')).toEqual({ receipt_id: 'rcpt_second' });
    expect(await found(1, 'chatcmpl-1')).toEqual({ receipt_id: 'rcpt_other' });
    expect(await found(1, 'rcpt_second')).toBeNull();
    expect(await found(0, 'chatcmpl-none')).toBeNull();
  });

  it('is found by its own ID, whatever IDs model servers choose', async () => {
    expect(await found(0, 'rcpt_first')).toEqual({ receipt_id: 'rcpt_first' });
    expect(await found(0, 'rcpt_third')).toEqual({ receipt_id: 'rcpt_third' });
  });

  it('is found by an index', async () => {
    const { rows } = await sql<
      Record<string, string>
    >`explain ${receiptQuery(keys[0]!, 'chatcmpl-many-2500')}`.execute(database.db);
    const plan = rows.flatMap((row) => Object.values(row)).join('\n');
    expect(plan).not.toContain('Seq Scan');
    expect(plan).toMatch(/ai_requests_receipt_id_key/);
    expect(plan).toMatch(/ai_requests_public_id/);
  });
});
