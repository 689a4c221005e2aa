import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postedBalance } from '../../db/billing/ledger';
import { withTransaction } from '../../db/core/client';
import { meter, type StateChange } from '../../domain/billing/metering';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { closeTeamHour, HOUR_MS } from './closeUsage';
import { startBooks, UNCOVERED, type Books, type Point } from './testing/books';

/*
 * Changes that are written late or out of order: whenever the hours are closed, the posted total matches the
 * cost of the whole history. BILLING_LATE=1000 for a long run, BILLING_SEED=<number> to repeat one.
 */

const HISTORIES = Number(process.env.BILLING_LATE ?? 30);
const SEED = Number(process.env.BILLING_SEED ?? Date.now() % 1_000_000);
const START = Date.UTC(2030, 10, 1);
const MINUTE = 60_000;
/** Delay between an hour's end and its close. */
const HOLD_BACK = 5 * MINUTE;

const history = fc.array(
  fc.record({
    after: fc.oneof(fc.integer({ min: 0, max: 90 * 60 }), fc.integer({ min: 0, max: 20_000 })),
    status: fc.constantFrom('running', 'stopped', 'error', 'lost', 'restarting', 'starting', 'creating'),
    rate: fc.integer({ min: 0, max: 5_000_000 }),
    disk_gb: fc.oneof(fc.constant(20), fc.integer({ min: 1, max: 20_000 })),
    gpu: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000_000 })),
    /** Seconds between a change and its recording; mostly zero. */
    late: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 400 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 15_000 }) },
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

type Steps = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** Histories that once failed. */
const FOUND: [Steps][] = [
  // GPUs and the rest each gave back a micro-dollar, but credits got only one.
  [
    [
      { after: 0, status: 'running', rate: 2, gpu: 1, late: 1, disk_gb: 20 },
      { after: 3901, status: 'running', rate: 0, gpu: 0, late: 302, disk_gb: 20 },
      { after: 0, status: 'running', rate: 0, gpu: 1, late: 0, disk_gb: 20 },
    ],
  ],
  // The GPUs' saving equals the rest's extra cost.
  [
    [
      { after: 0, status: 'running', rate: 3_601, gpu: 1_801, late: 0, disk_gb: 20 },
      { after: 3901, status: 'running', rate: 3_601, gpu: 1, late: 302, disk_gb: 20 },
    ],
  ],
];

let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await startBooks(database);
});
afterAll(() => database.drop());

type Written = StateChange & { written: number };

const pointOf = ({ status, at, disk_gb, hourly_rate_micros, gpu_rate_micros }: Written): Point => [
  status,
  at.toISOString(),
  { disk_gb, hourly_rate_micros, gpu_rate_micros },
];

async function check(steps: Steps): Promise<void> {
  const team_id = await books.team();
  let written = START;
  const changes = steps.map(({ after, status, rate, disk_gb, gpu, late }, index): Written => {
    if (index > 0) written += after * 1000;
    return {
      // A CVM's first state is running: nothing is billed before that.
      status: index === 0 ? 'running' : status,
      vcpu: 1,
      memory_mb: 2048,
      disk_gb,
      hourly_rate_micros: rate,
      gpu_rate_micros: Math.min(gpu, rate),
      ...UNCOVERED,
      at: new Date(index === 0 ? START : Math.max(START, written - late * 1000)),
      written,
    };
  });
  const grants = [50_000, 10 ** 12];
  const credits = [];
  for (const amount of grants) credits.push(await books.grant(team_id, amount, null));
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
  // Credits paid for all of it, and received all reversals.
  expect((await postedBalance(database.db, team_id)).prepaid).toBe(0);
  const left = [];
  for (const credit of credits) left.push(await books.remaining(credit));
  expect(left[0]).toBeLessThanOrEqual(grants[0]!);
  expect(left[1]).toBeLessThanOrEqual(grants[1]!);
  expect(left[0]! + left[1]! + whole.amount_micros).toBe(grants[0]! + grants[1]!);
}

it(`check 11: ${HISTORIES} histories with late changes (seed ${SEED}) cost the same no matter how they are closed`, async () => {
  await fc.assert(fc.asyncProperty(history, check), { numRuns: HISTORIES, seed: SEED, examples: FOUND });
}, 3_600_000);
