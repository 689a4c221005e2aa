import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTransaction } from '../../db/core/client';
import { meter, type StateChange } from '../../domain/billing/metering';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closeTeamHour, HOUR_MS } from './closeUsage';
import { startBooks, type Books, type Point } from './testing/books';

/*
 * Changes that are written late, or in another order than they happened: however the hours are closed meanwhile, what is
 * posted in the end is what the whole history costs. BILLING_LATE=1000 for a long run, BILLING_SEED=<number> to repeat one.
 */

const HISTORIES = Number(process.env.BILLING_LATE ?? 30);
const SEED = Number(process.env.BILLING_SEED ?? Date.now() % 1_000_000);
const START = Date.UTC(2030, 10, 1);
const MINUTE = 60_000;
/** An hour is closed this long after its end. */
const HOLD_BACK = 5 * MINUTE;

const history = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 90 * 60 }),
    status: fc.constantFrom('running', 'stopped', 'error', 'lost', 'restarting', 'starting', 'creating'),
    rate: fc.integer({ min: 0, max: 5_000_000 }),
    gpu: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000_000 })),
    /** How much earlier than it was written it happened, in seconds: mostly at the same time. */
    late: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 400 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 10_000 }) },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

type Written = StateChange & { written: number };

const pointOf = ({ status, at, hourly_rate_micros, gpu_rate_micros }: Written): Point => [
  status,
  at.toISOString(),
  { hourly_rate_micros, gpu_rate_micros },
];

async function check(steps: typeof history extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const team_id = await books.team();
  let written = START;
  const changes = steps.map(({ after, status, rate, gpu, late }, index): Written => {
    if (index > 0) written += after * 1000;
    return {
      // A CVM is first running: before that, nothing is billed.
      status: index === 0 ? 'running' : status,
      vcpu: 1,
      memory_mb: 2048,
      disk_gb: 20,
      hourly_rate_micros: rate,
      gpu_rate_micros: Math.min(gpu, rate),
      at: new Date(index === 0 ? START : Math.max(START, written - late * 1000)),
      written,
    };
  });
  const [first, ...rest] = changes;
  const cvm_id = await books.cvm(team_id, [pointOf(first!)]);
  const end = Math.ceil((written + 1) / HOUR_MS) * HOUR_MS;
  for (let hour = START + HOUR_MS; hour <= end + HOUR_MS; hour += HOUR_MS) {
    while (rest[0] && rest[0].written <= hour + HOLD_BACK) await books.change(cvm_id, pointOf(rest.shift()!));
    await withTransaction(database.db, (trx) => closeTeamHour(trx, team_id, new Date(hour)));
  }
  const whole = meter(changes, { from: new Date(START), to: new Date(end + HOUR_MS) });
  const posted = (await books.lines(cvm_id)).reduce((sum, line) => sum + line.amount_micros, 0);
  expect(posted).toBe(whole.amount_micros);
  expect(await books.charged(team_id)).toBe(whole.amount_micros);
}

it(`check 11: ${HISTORIES} histories with late changes (seed ${SEED}) cost the same however they are closed`, async () => {
  await fc.assert(fc.asyncProperty(history, check), { numRuns: HISTORIES, seed: SEED });
}, 3_600_000);
