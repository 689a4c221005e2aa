import { describe, expect, it } from 'vitest';
import { groupHref, groupName } from './groups/groups';
import { ledgerMonths, periodQuery, statementMonths } from './periods';
import {
  costSearch,
  moneyHref,
  TRANSACTION_KINDS,
  transactionsHref,
  transactionsSearch,
  usageSearch,
} from './search';
import { emptyLedgerText, kindTexts } from './texts';

it('can filter transactions by every kind', () => {
  expect([...TRANSACTION_KINDS]).toEqual(Object.keys(kindTexts));
  expect(transactionsSearch({ kind: 'order_refund' }).kind).toBe('order_refund');
  for (const kind of ['toString', 'gift', 3]) expect(transactionsSearch({ kind }).kind).toBeUndefined();
});

it('can filter transactions by month, which stays in the address', () => {
  const search = transactionsSearch({ team: 'acme', kind: 'usage', month: '2026-10' });
  expect(transactionsHref(search)).toBe('/transactions?team=acme&kind=usage&month=2026-10');
  for (const month of ['2026-13', '2026-1', 'last', 202610])
    expect(transactionsSearch({ month }).month).toBeUndefined();
  expect(transactionsSearch({ tab: 'invoices', month: '2026-10' }).month).toBeUndefined();
  expect(emptyLedgerText(search)).toBe('No “Usage” transactions in October 2026.');
  expect(emptyLedgerText({ kind: undefined, month: '2026-10' })).toBe('No transactions in October 2026.');
  const now = new Date('2026-11-21T09:10:00Z');
  const values = (created: string | null, chosen?: string) =>
    ledgerMonths(now, created === null ? null : new Date(created), chosen).map(({ value }) => value);
  expect(values('2026-09-30T23:59:59Z')).toEqual(['2026-11', '2026-10', '2026-09']);
  expect(values('2026-11-01T00:00:00Z', '2025-01')).toEqual(['2026-11', '2025-01']);
  // The chosen month shows before the team has loaded.
  expect(values(null, '2026-10')).toEqual(['2026-10']);
});

describe('a period', () => {
  const now = new Date('2026-11-21T09:10:00Z');

  it.each([
    [undefined, { from: '2026-11-01T00:00:00.000Z' }],
    ['month', { from: '2026-11-01T00:00:00.000Z' }],
    ['last-month', { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' }],
    ['7-days', { from: '2026-11-15T00:00:00.000Z' }],
    ['90-days', { from: '2026-08-24T00:00:00.000Z' }],
  ] as const)('%s covers whole UTC days', (period, query) => {
    expect(periodQuery(period, now)).toEqual(query);
  });

  it('is kept in the address, without defaults and unknown values', () => {
    expect(costSearch({ team: 'acme', period: '7-days', by: 'cvm' })).toEqual({
      team: 'acme',
      period: '7-days',
      by: 'cvm',
    });
    expect(costSearch({ period: 'month', by: 'app' })).toEqual({});
    expect(usageSearch({ period: '__proto__', by: 'basis' })).toEqual({});
    expect(moneyHref('/usage', usageSearch({ team: 'acme', by: 'app' }))).toBe('/usage?team=acme&by=app');
    expect(moneyHref('/cost', costSearch({}))).toBe('/cost');
  });
});

describe('a group', () => {
  const app_id = 'a'.repeat(40);
  const group = { kind: 'app' as const, key: app_id, name: 'web', app_id, deleted: false, count: 1 };
  const cvm = { ...group, kind: 'cvm' as const };
  const other = { kind: null, key: null, name: null, app_id: null, deleted: false, count: 3 };
  const model = { ...other, kind: 'ai_model' as const, key: 'acme/large', count: 1 };
  const order = { ...other, kind: 'order' as const, key: 'ord_1', name: 'H200 for a month', count: 1 };

  it('has a readable name', () => {
    expect(groupName(group)).toBe('web');
    expect(groupName({ ...cvm, deleted: true })).toBe('web (deleted)');
    expect(groupName(other)).toBe('Other (3 more)');
    expect(groupName({ ...other, kind: 'basis', key: 'gpu' })).toBe('GPUs');
    expect(groupName({ ...other, kind: 'basis', key: 'ai' })).toBe('Confidential AI');
    expect(groupName({ ...other, kind: 'instance_type', key: 'custom' })).toBe('Custom size');
    expect(groupName(model)).toBe('acme/large (AI)');
    expect(groupName(order)).toBe('H200 for a month (order)');
  });

  it('links to its usage if it has a page', () => {
    expect(groupHref('acme', group)).toBe(`/acme/apps/${app_id}/usage`);
    expect(groupHref('acme', { ...cvm, deleted: true })).toBeUndefined();
    expect(groupHref('acme', other)).toBeUndefined();
    expect(groupHref('acme', model)).toBe('/dashboard/confidential-ai-api?team=acme');
    expect(groupHref('acme', order)).toBe('/cost?team=acme&tab=reservations');
  });
});

it('offers statements for this month and two years back, across a year boundary', () => {
  const months = statementMonths(new Date('2026-01-31T23:59:59Z'), new Date('2020-05-01T00:00:00Z'));
  expect(months[0]).toEqual({ value: '2026-01', label: 'January 2026' });
  expect(months[1]).toEqual({ value: '2025-12', label: 'December 2025' });
  expect(months.at(-1)).toEqual({ value: '2024-01', label: 'January 2024' });
});

it('offers no statement from before the team existed', () => {
  const values = (now: string, created: string | null) =>
    statementMonths(new Date(now), created === null ? null : new Date(created)).map(({ value }) => value);
  expect(values('2026-01-31T23:59:59Z', '2025-11-30T23:59:59Z')).toEqual(['2026-01', '2025-12', '2025-11']);
  expect(values('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual(['2026-01']);
  // The browser's clock may differ from the server's.
  expect(values('2026-01-31T23:59:59Z', '2026-02-01T00:00:01Z')).toEqual(['2026-01']);
  expect(values('2026-01-31T23:59:59Z', null)).toHaveLength(25);
});
