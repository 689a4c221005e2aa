import { expect, it } from 'vitest';
import { checkBalance, type LowBalance } from './lowBalance';

const HOUR_MS = 3_600_000;
const START = new Date('2030-12-01T12:00:00Z');
const DOLLAR = 1_000_000;

/**
 * Checks a balance in dollars that lasts this many hours at each moment. @returns the hours at which payers
 * were notified
 */
function play(moments: readonly [at: number, balance: number, lasts: number | null][]): string[] {
  let told: LowBalance | null = null;
  const heard: string[] = [];
  for (const [at, balance, lasts] of moments) {
    const lasting = { balance: balance * DOLLAR, seconds: lasts === null ? null : lasts * 3600 };
    const { next, notice } = checkBalance(told, lasting, new Date(START.getTime() + at * HOUR_MS));
    if (notice !== null) heard.push(`${at}: ${notice}${notice === 'low' ? ` ${next?.hours}` : ''}`);
    told = next;
  }
  return heard;
}

it('warns once below each threshold', () => {
  const moments = [72, 71.9, 50, 24, 23.9, 10, 1].map((lasts, i): [number, number, number] => [
    i,
    lasts,
    lasts,
  ]);
  expect(play(moments)).toEqual(['1: low 72', '4: low 24']);
});

it('warns of the lower threshold only, if a balance falls below both between two checks', () => {
  expect(
    play([
      [0, 100, 100],
      [1, 99, 3],
      [2, 96, 2],
    ]),
  ).toEqual(['1: low 24']);
});

it('warns again once money brought the balance above a threshold, and not of those it stays below', () => {
  expect(
    play([
      [0, 20, 20],
      [1, 49, 49],
      [25, 23, 23],
      [26, 122, 122],
      [77, 71, 71],
    ]),
  ).toEqual(['0: low 24', '1: over', '25: low 24', '26: over', '77: low 72']);
});

it('warns again after a payment smaller than the balance of the last warning, not after a corrected minute', () => {
  expect(
    play([
      [0, 70, 70],
      [60, 10, 10],
      [61, 40, 40],
      [62, 39, 23],
      [63, 38, 60],
      [64, 38.5, 60],
      [65, 20, 20],
    ]),
  ).toEqual(['0: low 72', '60: low 24', '61: over', '62: low 24']);
});

it('treats lower usage as a recovery only after a day', () => {
  expect(
    play([
      [0, 70, 70],
      [1, 69, null],
      [24.9, 69, null],
      [25, 69, 69],
      [26, 68, 900],
      [50, 60, 800],
      [51, 60, 60],
    ]),
  ).toEqual(['0: low 72', '50: over', '51: low 72']);
});

it('leaves an exhausted balance to the payment-due notice', () => {
  expect(
    play([
      [0, 0, 0],
      [1, -5, 0],
      [2, 10, 10],
      [12, 0, 0],
      [13, -5, 0],
      // A payment after that starts a new balance, even if it is smaller than that of the last warning.
      [14, 6, 6],
    ]),
  ).toEqual(['2: low 24', '12: over', '14: low 24']);
});

it('does not warn without usage, and ends a warning that is no longer needed', () => {
  expect(play([[0, 1, null]])).toEqual([]);
  expect(checkBalance(null, null, START)).toEqual({ next: null, notice: null });
  const told = { hours: 72, balance_micros: DOLLAR, above_since: null };
  expect(checkBalance(told, null, START)).toEqual({ next: null, notice: 'over' });
});
