import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DISK_GB_HOUR } from '../../../console/lib/billing/spend';
import { bonusOf, bonusTaken, type Bonus } from './bonus';
import { allocateCents, centsOfMicros, creditLines, taxOn } from './invoice';
import { charge, giveBack, inBurnOrder, type LedgerEntry } from './ledger';
import {
  amountWithin,
  meter,
  priced,
  trackOf,
  TRACKS,
  type Before,
  type StateChange,
  type Track,
} from './metering';
import { splitByDay } from './usageDays';

/* Properties of any history. BILLING_SEED=<number> repeats a run, BILLING_RUNS sets its length. */

const numRuns = Number(process.env.BILLING_RUNS ?? 10_000);
const seed = Number(process.env.BILLING_SEED ?? Date.now() % 1_000_000);
const holds = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, check), { numRuns, seed });
const name = (what: string) => `${what} (${numRuns} histories, seed ${seed})`;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const amounts = (values: readonly { amount_micros: number }[]) =>
  sum(values.map(({ amount_micros }) => amount_micros));
const total = (entries: readonly LedgerEntry[]) => sum(entries.map(({ amount }) => amount));
/** Faster than `expect` for a million checks. */
function same(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} instead of ${String(expected)}`);
}

const START = Date.UTC(2026, 10, 1);
const STATUSES = [
  'creating',
  'running',
  'stopping',
  'stopped',
  'starting',
  'updating',
  'error',
  'lost',
  'deleted',
] as const;
const changes = fc
  .array(
    fc.record({
      status: fc.constantFrom(...STATUSES),
      after: fc.integer({ min: 0, max: 40_000_000 }),
      // Some are written after one with a later time.
      early: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 5_000_000 })),
      disk_gb: fc.integer({ min: 1, max: 200 }),
      rate: fc.integer({ min: 0, max: 500_000 }),
      gpu: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4_000_000 })),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((steps) => {
    let time = START;
    return steps.map(({ status, after, early, disk_gb, rate, gpu }): StateChange => {
      time += after;
      const at = new Date(time - early);
      return {
        status,
        vcpu: 1,
        memory_mb: 1024,
        disk_gb,
        hourly_rate_micros: rate + gpu,
        gpu_rate_micros: gpu,
        disk_rate_micros: 0,
        at,
        order_id: null,
        covers: null,
        covered_until: null,
      };
    });
  });
const LENGTH = 200_000_000;

/** Returns the cost of a history in 3600ths of a micro-dollar, second by second and without lines. */
function exactCost(history: readonly StateChange[], { from, to }: { from: Date; to: Date }): bigint {
  const second = (at: Date | undefined) => Math.floor((at ?? to).getTime() / 1000);
  let [exact, at, hasRun] = [0n, -Infinity, false];
  let paid: 'size' | 'disk' | 'none' = 'none';
  for (const [index, change] of history.entries()) {
    at = Math.max(at, second(change.at));
    if (at >= second(to)) break;
    if (change.status === 'running') [paid, hasRun] = ['size', true];
    else if (['stopped', 'error', 'starting'].includes(change.status)) paid = hasRun ? 'disk' : 'none';
    else if (change.status === 'lost') paid = 'none';
    else if (['creating', 'deleted'].includes(change.status)) [paid, hasRun] = ['none', false];
    const until = Math.min(Math.max(at, second(history[index + 1]?.at)), second(to));
    const rate =
      paid === 'size' ? change.hourly_rate_micros : paid === 'disk' ? change.disk_gb * DISK_GB_HOUR : 0;
    exact += BigInt(Math.max(0, until - Math.max(at, second(from)))) * BigInt(rate);
  }
  return exact;
}
const cuts = fc.array(fc.integer({ min: 0, max: LENGTH }), { maxLength: 5 });

describe('usage', () => {
  it(name('lines sum to the amount, and windows to what they form, however time is divided'), () => {
    holds(fc.record({ changes, cuts }), ({ changes: history, cuts: given }) => {
      const window = { from: new Date(START), to: new Date(START + LENGTH) };
      const whole = meter(history, window);
      same(amounts(whole.lines), whole.amount_micros, 'lines');
      const exact = (track: Track) =>
        whole.lines
          .filter(({ basis }) => trackOf(basis) === track)
          .reduce((all, line) => all + BigInt(line.rate_micros) * BigInt(line.seconds), 0n);
      same(
        whole.amount_micros,
        sum(TRACKS.map((track) => Number(exact(track) / 3600n))),
        'seconds × rate of size, disk and GPUs',
      );
      // At any second, together they cost the rate while running, and the disk's while stopped.
      const together = TRACKS.reduce((all, track) => all + exact(track), 0n);
      same(together, exactCost(history, window), 'rates of all lines');
      let [amount, seconds] = [0, 0];
      const tracks = new Map<Track, number>();
      let before: Before = {};
      const ends = [...given.toSorted((a, b) => a - b), LENGTH];
      let from = 0;
      for (const end of ends) {
        const part = meter(history, { from: new Date(START + from), to: new Date(START + end) }, before);
        amount += part.amount_micros;
        seconds += sum(part.lines.map((line) => line.seconds));
        for (const line of part.lines) {
          const track = trackOf(line.basis);
          tracks.set(track, (tracks.get(track) ?? 0) + line.amount_micros);
        }
        before = part;
        from = end;
      }
      same(amount, whole.amount_micros, 'windows');
      for (const track of TRACKS)
        same(tracks.get(track) ?? 0, Number(exact(track) / 3600n), `windows of ${track}`);
      same(seconds, sum(whole.lines.map((line) => line.seconds)), 'seconds');
      for (const line of whole.lines)
        same(amounts(splitByDay(line, window)), line.amount_micros, 'days of a line');
    });
  });

  it(name('taken back and priced again is lost nowhere, because the remainder is carried'), () => {
    const parts = fc.array(
      fc.record({
        seconds: fc.integer({ min: 0, max: 4_000_000 }),
        rate: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      }),
      { maxLength: 10 },
    );
    holds(parts, (all) => {
      let [carry, amount, exact] = [0, 0, 0n];
      for (const { seconds, rate } of all) {
        const part = priced(seconds, rate, carry);
        amount += part.amount_micros;
        carry = part.carry;
        exact += BigInt(seconds) * BigInt(rate);
        if (carry < 0 || carry >= 3600) throw new Error(`the remainder is ${carry}`);
      }
      same(BigInt(amount) * 3600n + BigInt(carry), exact, 'amount and remainder');
    });
  });
});

const SECOND = 1000;
const HOUR_SECONDS = 3600;
const grants = fc.array(
  fc.record({
    remaining: fc.integer({ min: 0, max: 400_000 }),
    /** Seconds into the history; null: never. */
    expires: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 5 * HOUR_SECONDS })),
    created: fc.integer({ min: 0, max: 100 }),
  }),
  { maxLength: 5 },
);
const hours = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 4 });

describe('a ledger', () => {
  it(name('has entries that sum to 0, and uses credits by earliest expiry, never beyond it'), () => {
    holds(fc.record({ grants, hours, back: fc.integer({ min: 0, max: 1_000_000 }) }), (history) => {
      let left = history.grants.map(({ remaining, expires, created }, n) => ({
        public_id: `g${n}`,
        remaining,
        expires_at: expires === null ? null : new Date(START + expires * SECOND),
        created_at: new Date(START + created),
      }));
      let prepaid = 0;
      for (const [hour, rate] of history.hours.entries()) {
        const from = new Date(START + hour * HOUR_SECONDS * SECOND);
        const line = {
          from,
          to: new Date(from.getTime() + HOUR_SECONDS * SECOND),
          rate_micros: rate,
          carry: 0,
        };
        const usedBefore = (moment: Date) => amountWithin(line, { from, to: moment });
        const ordered = inBurnOrder(left.filter(({ remaining }) => remaining > 0));
        const charged = charge(rate, ordered, usedBefore);
        same(total(charged), 0, 'entries');
        checkOrder(ordered, charged, usedBefore, rate);
        const paid = (id: string) => -total(charged.filter(({ grant }) => grant === id));
        left = left.map((grant) => ({ ...grant, remaining: grant.remaining - paid(grant.public_id) }));
        if (left.some(({ remaining }) => remaining < 0)) throw new Error('a credit is overdrawn');
        prepaid += total(charged.filter(({ account }) => account === 'prepaid'));
        // Two corrections that reverse everything leave nothing.
        const part = Math.min(rate, history.back);
        const first = giveBack(part, charged);
        const rest = giveBack(rate - part, undo(charged, first));
        for (const entries of [first, rest]) same(total(entries), 0, 'entries of a correction');
        for (const account of ['prepaid', 'credits', 'revenue'])
          same(
            total([...charged, ...first, ...rest].filter((entry) => entry.account === account)) + 0,
            0,
            `${account} after both corrections`,
          );
      }
      same(
        -prepaid +
          sum(history.grants.map(({ remaining }) => remaining)) -
          sum(left.map(({ remaining }) => remaining)),
        sum(history.hours),
        'what was paid',
      );
    });
  });
});

/** Returns the remainder of a charge after a correction. */
const undo = (charged: readonly LedgerEntry[], back: readonly LedgerEntry[]): LedgerEntry[] =>
  charged.map((entry) => ({
    ...entry,
    amount:
      entry.amount +
      total(back.filter(({ account, grant }) => account === entry.account && grant === entry.grant)),
  }));

/** A credit pays only if all that expire earlier are used up, or end before that usage. */
function checkOrder(
  ordered: readonly { public_id: string; remaining: number; expires_at: Date | null }[],
  charged: readonly LedgerEntry[],
  usedBefore: (moment: Date) => number,
  amount: number,
): void {
  let paid = 0;
  for (const [index, grant] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before && (before.expires_at?.getTime() ?? Infinity) > (grant.expires_at?.getTime() ?? Infinity))
      throw new Error('a credit is used before one that expires earlier');
    const part = -total(charged.filter((entry) => entry.grant === grant.public_id));
    paid += part;
    const eligible = grant.expires_at ? usedBefore(grant.expires_at) : amount;
    if (part > 0 && paid > eligible) throw new Error('a credit paid for usage after its end');
    if (part < grant.remaining && paid < eligible) throw new Error('a credit was left, though it could pay');
  }
}

describe('an invoice', () => {
  it(name('has lines that sum to its total, and credit notes that sum to its negative'), () => {
    const invoice = fc.record({
      micros: fc.array(fc.integer({ min: 0, max: 2_000_000_000 }), { minLength: 1, maxLength: 12 }),
      rate: fc.integer({ min: 0, max: 10_000 }),
      shares: fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 3 }),
    });
    holds(invoice, ({ micros, rate, shares }) => {
      const cents = allocateCents(micros);
      const subtotal = centsOfMicros(sum(micros));
      same(sum(cents), subtotal, 'lines');
      for (const [index, part] of cents.entries())
        if (Math.abs(part * 10_000 - (micros[index] ?? 0)) >= 10_000)
          throw new Error('a line is off by a cent');
      let left = micros.map((value, index) => ({ micros: value, cents: cents[index] ?? 0 }));
      let tax = taxOn(subtotal, rate);
      const rest = () => sum(left.map((line) => line.cents));
      for (const share of [...shares, 100]) {
        const amount = Math.floor((rest() * share) / 100);
        if (amount === 0) continue;
        const note = creditLines(amount, left, { rate, remaining: tax });
        same(sum(note.lines.map((line) => line.cents)), amount, 'lines of a credit note');
        left = left.map((line, index) => ({
          micros: line.micros - (note.lines[index]?.micros ?? 0),
          cents: line.cents - (note.lines[index]?.cents ?? 0),
        }));
        tax -= note.tax_cents;
        if (tax < 0) throw new Error('more tax is credited than was charged');
      }
      if (subtotal === 0) return;
      same(rest() + tax, 0, 'invoice and credit notes');
      same(sum(left.map((line) => line.micros)), 0, 'exact amounts of invoice and credit notes');
    });
  });
});

describe('a bonus', () => {
  it(name('goes back with its payment as far as it is not used, and returns with it'), () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('use'), share: fc.integer({ min: 0, max: 100 }) }),
        fc.record({ kind: fc.constant('return'), share: fc.integer({ min: 0, max: 100 }) }),
      ),
      { maxLength: 8 },
    );
    const history = fc.record({
      paid: fc.integer({ min: 1, max: 10_000_000_000 }),
      percent: fc.integer({ min: 1, max: 1_000 }),
      cap_micros: fc.integer({ min: 1, max: 1_000_000_000 }),
      steps,
    });
    const now = new Date(START);
    holds(history, ({ paid, percent, cap_micros, steps: all }) => {
      const amount_micros = bonusOf(paid, { percent, cap_micros });
      if (amount_micros > cap_micros || amount_micros * 100 > paid * percent)
        throw new Error('more than promised');
      let bonus: Bonus = {
        amount_micros,
        remaining_micros: amount_micros,
        taken_micros: 0,
        expires_at: null,
      };
      let used = 0;
      const align = (returned: number) => {
        const taken = bonusTaken(bonus, { returned, received: paid }, now);
        bonus = {
          ...bonus,
          remaining_micros: bonus.remaining_micros - taken,
          taken_micros: bonus.taken_micros + taken,
        };
        if (bonus.remaining_micros < 0 || bonus.taken_micros < 0) throw new Error('a bonus is negative');
        same(bonus.remaining_micros + bonus.taken_micros + used, amount_micros, 'bonus');
        same(bonusTaken(bonus, { returned, received: paid }, now), 0, 'what is taken the second time');
      };
      for (const { kind, share } of all) {
        const part = (whole: number) => Math.floor((whole * share) / 100);
        if (kind === 'return') align(part(paid));
        else {
          const more = part(bonus.remaining_micros);
          used += more;
          bonus = { ...bonus, remaining_micros: bonus.remaining_micros - more };
        }
      }
      align(paid);
      same(bonus.remaining_micros, 0, 'what is left once the payment is returned');
      align(0);
      same(bonus.remaining_micros, amount_micros - used, 'what is left once it came back');
      const ended = { ...bonus, taken_micros: 1, expires_at: now };
      expect(bonusTaken(ended, { returned: 0, received: paid }, now)).toBe(0);
    });
  });
});
