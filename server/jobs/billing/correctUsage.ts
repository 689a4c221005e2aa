import { reopenGrants } from '../../db/billing/grants';
import { lockLedger, openGrants, post } from '../../db/billing/ledger';
import {
  carryOf,
  chargesOf,
  effectiveAt,
  insertLines,
  linesWithin,
  type NewLine,
  type StoredLine,
} from '../../db/billing/usage';
import type { Tx } from '../../db/core/client';
import { charge, giveBackOf } from '../../domain/billing/ledger';
import {
  includesDisk,
  meter,
  priced,
  trackOf,
  TRACKS,
  wholeSecond,
  type Carry,
  type Track,
} from '../../domain/billing/metering';
import type { Advanced } from './closeUsage';

/** Lines of one CVM that a correction reads. Late changes reach back minutes, not months. */
const MAX_LINES = 10_000;

/**
 * Posts the effect of late changes on hours already posted: lines that reverse the old ones for that time, the
 * correct lines, and one transaction with the difference. Posted rows are never changed.
 *
 * @returns the remainders to carry
 */
export async function correctLate(
  trx: Tx,
  team_id: number,
  { before, meter: now, late }: Advanced,
): Promise<Carry> {
  const { cvm_id, billed_from, closed_until: to, change_id, basis } = before;
  const [first] = late;
  const known = change_id === null ? null : await effectiveAt(trx, cvm_id, change_id);
  const from = new Date(
    Math.max(...[first?.at ?? to, known ?? billed_from, billed_from].map((at) => at.getTime())),
  );
  const carry = carryOf(now);
  if (wholeSecond(from) >= wholeSecond(to)) return carry;
  const window = { from: new Date(wholeSecond(from) * 1000), to };
  const posted = await linesWithin(trx, [cvm_id], window, MAX_LINES + 1);
  if (posted.length > MAX_LINES)
    throw new Error(`CVM ${cvm_id} has too many lines to correct since ${from.toISOString()}`);
  // Posted usage has no change after the meter's, so its basis holds for the whole window.
  const { lines } = meter(late, window, { basis });
  const back = posted
    .map((line) => within(line, window))
    .map((line) => ({ ...line, rate_micros: -line.rate_micros, corrects: line.id }));
  const instead = lines
    .filter(({ basis }) => basis !== 'none')
    .map((line) => ({ ...line, corrects: replaced(line, posted) }));
  if (pricedApart(posted).every((tracks) => exactCost([...back, ...instead], tracks) === 0n)) return carry;
  const all: NewLine[] = [...back, ...instead].map((line) => {
    const track = trackOf(line.basis);
    const { amount_micros, carry: rest } = priced(line.seconds, line.rate_micros, carry[track]);
    const made = { ...line, cvm_id, amount_micros, carry: carry[track] };
    carry[track] = rest;
    return made;
  });
  const amount = all.reduce((sum, line) => sum + line.amount_micros, 0);
  const transaction_id = await postDifference(trx, team_id, {
    amount,
    back,
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
    back,
    source_id,
    at,
  }: { amount: number; back: readonly StoredLine[]; source_id: string; at: Date },
): Promise<number | null> {
  if (amount === 0) return null;
  await lockLedger(trx, team_id);
  const lines = back.filter(({ transaction_id }) => transaction_id !== null);
  const charges = await chargesOf(
    trx,
    lines.map(({ transaction_id }) => transaction_id!),
  );
  const entries =
    amount > 0
      ? // A grant that has expired since then pays nothing more.
        charge(amount, await openGrants(trx, team_id), (moment) => (moment > at ? amount : 0))
      : giveBackOf(
          -amount,
          charges.map((one) => ({
            ...one,
            amount: costOf(lines.filter(({ transaction_id }) => one.ids.includes(transaction_id!))),
          })),
        );
  const posted = await post(trx, {
    team_id,
    kind: 'usage_correction',
    source_type: 'cvm_state_change',
    source_id,
    description: 'Correction of posted usage: a change was recorded late',
    effective_at: new Date(),
    corrects: charges.at(-1)?.id ?? null,
    entries,
  });
  if (!posted) throw new Error(`the change ${source_id} was corrected already`);
  await reopenGrants(trx, entries);
  return posted.id;
}

/**
 * The tracks whose cost must match for nothing to be corrected. Size and disk count together where posted lines
 * combine them.
 */
const pricedApart = (posted: readonly StoredLine[]): readonly (readonly Track[])[] =>
  posted.some(includesDisk) ? [['size', 'disk'], ['gpu']] : TRACKS.map((track) => [track]);

/** Returns the cost of lines in these tracks, in 3600ths of a micro-dollar. */
const exactCost = (
  lines: readonly (Pick<NewLine, 'basis' | 'rate_micros'> & { seconds: number })[],
  tracks: readonly Track[],
): bigint =>
  lines.reduce(
    (sum, { basis, seconds, rate_micros }) =>
      tracks.includes(trackOf(basis)) ? sum + BigInt(seconds) * BigInt(rate_micros) : sum,
    0n,
  );

/** Returns the cost of reversed lines, each track rounded up to a micro-dollar. */
const costOf = (back: readonly StoredLine[]): number =>
  TRACKS.reduce((sum, track) => sum + Number((3599n - exactCost(back, [track])) / 3600n), 0);

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
      (trackOf(old.basis) === trackOf(line.basis) || (line.basis === 'disk' && includesDisk(old))) &&
      old.from < line.to &&
      line.from < old.to,
  )?.id ?? null;
