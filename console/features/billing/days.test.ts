import { expect, it } from 'vitest';
import type { Transaction } from '../../../generated/api/types.gen';
import { describe as describeRow, ledgerRows } from './days';

let count = 0;
const transaction = (kind: Transaction['kind'], effective_at: string, amount = '-0.058'): Transaction => ({
  id: `crt_${++count}`,
  kind,
  description: `${kind} at ${effective_at}`,
  amount,
  prepaid: '0.00',
  credits: amount,
  effective_at,
  booked_at: effective_at,
  corrects: null,
});

const hours = [
  transaction('usage', '2026-11-24T01:00:00Z'),
  transaction('usage', '2026-11-24T00:00:00Z'),
  transaction('usage', '2026-11-23T23:00:00Z'),
  transaction('usage', '2026-11-23T22:00:00Z', '-0.000001'),
];

it('joins the hours of a day, the last of which ends at midnight', () => {
  const rows = ledgerRows(hours, new Set());
  expect(rows.map(({ amount, hours: { length } }) => [amount, length])).toEqual([
    ['-0.058', 1],
    ['-0.116001', 3],
  ]);
  expect(rows.map(describeRow)).toEqual(['usage at 2026-11-24T01:00:00Z', 'Usage on Nov 23, 2026']);
});

it('shows the hours of an expanded day, and keeps it expanded when another hour arrives', () => {
  const [, day] = ledgerRows(hours, new Set());
  const open = new Set([day!.id]);
  expect(ledgerRows(hours, open).map(({ within }) => within)).toEqual([false, false, true, true, true]);
  const later = [hours[0]!, transaction('usage', '2026-11-23T23:30:00Z'), ...hours.slice(1)];
  expect(ledgerRows(later, open)).toHaveLength(6);
});

it('leaves other transactions alone, even between hours', () => {
  const rows = ledgerRows(
    [hours[1]!, transaction('top_up', '2026-11-23T23:30:00Z', '100.00'), ...hours.slice(2)],
    new Set(),
  );
  expect(rows.map(({ shown, hours: { length } }) => [shown.kind, length])).toEqual([
    ['usage', 1],
    ['top_up', 1],
    ['usage', 2],
  ]);
});
