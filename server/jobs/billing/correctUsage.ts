import { lockLedger, openGrants, post } from '../../db/billing/ledger';
import {
  effectiveAt,
  entriesOf,
  insertLines,
  linesWithin,
  type NewLine,
  type StoredLine,
} from '../../db/billing/usage';
import type { Tx } from '../../db/core/client';
import { charge, giveBack, type LedgerEntry } from '../../domain/billing/ledger';
import { meter, priced, wholeSecond } from '../../domain/billing/metering';
import type { Advanced } from './closeUsage';

/** Lines of one CVM that a correction reads; a late change reaches back minutes, not months. */
const MOST = 10_000;
/** What an expired grant paid for can be used this long after it was given back. */
const REOPENED_MS = 30 * 24 * 3_600_000;

/**
 * Posts what late changes alter in hours that are posted already: lines that take back the old ones for that time, lines
 * as they should have been, and one transaction with the difference. Nothing posted is touched.
 *
 * @returns the remainders to carry on
 */
export async function correctLate(
  trx: Tx,
  team_id: number,
  { before, meter: now, late }: Advanced,
): Promise<{ carry: number; gpu_carry: number }> {
  const { cvm_id, billed_from, closed_until: to, change_id, basis } = before;
  const [first] = late;
  const known = change_id === null ? null : await effectiveAt(trx, cvm_id, change_id);
  const from = new Date(
    Math.max(...[first?.at ?? to, known ?? billed_from, billed_from].map((at) => at.getTime())),
  );
  const carry = { carry: now.carry, gpu_carry: now.gpu_carry };
  if (wholeSecond(from) >= wholeSecond(to)) return carry;
  const window = { from: new Date(wholeSecond(from) * 1000), to };
  const posted = await linesWithin(trx, [cvm_id], window, MOST + 1);
  if (posted.length > MOST)
    throw new Error(`CVM ${cvm_id} has too many lines to correct since ${from.toISOString()}`);
  // What was posted knows no change after the meter's, so that its basis holds for all of the window.
  const { lines } = meter(late, window, { basis });
  const back = posted
    .map((line) => within(line, window))
    .map((line) => ({ ...line, rate_micros: -line.rate_micros, corrects: line.id }));
  const instead = lines
    .filter(({ basis }) => basis !== 'none')
    .map((line) => ({ ...line, corrects: replaced(line, posted) }));
  const exact = [...back, ...instead].reduce(
    (sum, { seconds, rate_micros }) => sum + BigInt(seconds) * BigInt(rate_micros),
    0n,
  );
  if (exact === 0n) return carry;
  const all: NewLine[] = [...back, ...instead].map((line) => {
    const track = line.basis === 'gpu' ? 'gpu_carry' : 'carry';
    const { amount_micros, carry: rest } = priced(line.seconds, line.rate_micros, carry[track]);
    const made = { ...line, cvm_id, amount_micros, carry: carry[track] };
    carry[track] = rest;
    return made;
  });
  const amount = all.reduce((sum, line) => sum + line.amount_micros, 0);
  const old = posted.find((line) => line.transaction_id !== null)?.transaction_id ?? null;
  const transaction_id = await postDifference(trx, team_id, {
    amount,
    corrects: old,
    source_id: String(first?.id),
    at: window.to,
  });
  await insertLines(trx, { team_id, transaction_id }, all);
  return carry;
}

async function postDifference(
  trx: Tx,
  team_id: number,
  {
    amount,
    corrects,
    source_id,
    at,
  }: { amount: number; corrects: number | null; source_id: string; at: Date },
): Promise<number | null> {
  if (amount === 0) return null;
  await lockLedger(trx, team_id);
  const entries =
    amount > 0
      ? // A grant that has expired since pays nothing more.
        charge(amount, await openGrants(trx, team_id), (moment) => (moment > at ? amount : 0))
      : giveBack(-amount, corrects === null ? [] : await entriesOf(trx, corrects));
  const posted = await post(trx, {
    team_id,
    kind: 'usage_correction',
    source_type: 'cvm_state_change',
    source_id,
    description: 'Correction of posted usage: a change was recorded late',
    effective_at: new Date(),
    corrects,
    entries,
  });
  if (!posted) throw new Error(`the change ${source_id} was corrected already`);
  await reopen(trx, entries);
  return posted.id;
}

/** Grants that got something back after they expired get time to be used. */
async function reopen(trx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  const refilled = entries.flatMap(({ amount, grant }) => (amount > 0 && grant !== undefined ? [grant] : []));
  if (refilled.length === 0) return;
  const until = new Date(Date.now() + REOPENED_MS);
  await trx
    .updateTable('credit_grants')
    .set({ expires_at: until })
    .where('public_id', 'in', refilled)
    .where('expires_at', '<', new Date())
    .execute();
}

/** The part of a line inside a window. */
function within(line: StoredLine, window: { from: Date; to: Date }): StoredLine {
  const from = line.from < window.from ? window.from : line.from;
  const to = line.to > window.to ? window.to : line.to;
  return { ...line, from, to, seconds: (to.getTime() - from.getTime()) / 1000 };
}

const replaced = (
  line: Pick<NewLine, 'basis' | 'from' | 'to'>,
  posted: readonly StoredLine[],
): number | null =>
  posted.find(
    (old) =>
      old.corrects === null &&
      (old.basis === 'gpu') === (line.basis === 'gpu') &&
      old.from < line.to &&
      line.from < old.to,
  )?.id ?? null;
