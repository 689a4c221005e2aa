import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import { insertApp, insertCvm, insertHost, insertOperation, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { heldFunds } from './holds';

/* BILLING_HOLDS=10000 for a long run, BILLING_SEED=<number> to repeat one. */
const numRuns = Number(process.env.BILLING_HOLDS ?? 25);
const seed = Number(process.env.BILLING_SEED ?? Date.now() % 1_000_000);

let database: TestDatabase;
let books: Books;
let host: TestHost;
let count = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
  host = await insertHost(database.db, { name: 'holding' });
});
afterAll(() => database.drop());

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21, 9);
const holds = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 10_000_000 }),
    state: fc.constantFrom('queued', 'running', 'succeeded', 'succeeded', 'failed', 'cancelled'),
    status: fc.constantFrom('running', 'running', 'starting', 'stopped', 'error', 'lost', 'deleting'),
    /** Minutes after the first request. The clock of the worker that ended it may be ahead. */
    finished: fc.oneof(fc.integer({ min: -90, max: 0 }), fc.integer({ min: 0, max: 5 })),
  }),
  { maxLength: 5 },
);
type Holds = typeof holds extends fc.Arbitrary<infer T> ? T : never;

async function check(all: Holds): Promise<void> {
  const { db } = database;
  const team_id = await books.team();
  for (const { amount, state, status, finished } of all) {
    const app = await insertApp(db, { team_id, host, name: `held-${++count}` });
    const cvm = await insertCvm(db, { ...app, host, change: { status } });
    const { id } = await insertOperation(db, cvm, { state });
    await db
      .updateTable('operations')
      .set({
        finished_at: ['queued', 'running'].includes(state) ? null : new Date(START + finished * MINUTE),
      })
      .where('id', '=', id)
      .execute();
    await db
      .insertInto('balance_holds')
      .values({ operation_id: id, team_id, cvm_id: cvm.id, amount_micros: amount })
      .execute();
  }
  const sum = (some: Holds) => some.reduce((total, { amount }) => total + amount, 0);
  const live = all.filter(({ state }) => state === 'queued' || state === 'running');
  const counts = all.filter(
    ({ state, status }) => state === 'succeeded' && !['stopped', 'error', 'deleting'].includes(status),
  );
  let before = sum(live) + sum(counts);
  for (let minute = 0; minute <= 70; minute += 7) {
    const held = await heldFunds(db, team_id, new Date(START + minute * MINUTE));
    expect(held).toBeGreaterThanOrEqual(sum(live));
    expect(held).toBeLessThanOrEqual(before);
    before = held;
  }
  // Usage has replaced the hold for the first hour.
  expect(before).toBe(sum(live));
}

it(`of ${numRuns} random holds (seed ${seed}), each is between zero and its amount, and only falls`, async () => {
  await fc.assert(fc.asyncProperty(holds, check), { numRuns, seed });
}, 3_600_000);
