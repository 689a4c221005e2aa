import { describe, expect, it } from 'vitest';
import type { MetricSeries } from '../../../generated/api/types.gen';
import { monthQuery, monthsUntil, usageSearch } from './search';
import { gapSpan, stateSpan, summaryOf } from './words';

const now = new Date('2026-01-21T10:00:00Z');

describe('the address', () => {
  it('keeps what makes sense', () => {
    expect(usageSearch({ range: 'week', month: '2025-12', other: 1 })).toEqual({
      range: 'week',
      month: '2025-12',
    });
    expect(usageSearch({ range: 'hour', month: '2025-13' })).toEqual({ range: undefined, month: undefined });
    expect(usageSearch({ range: 'year', month: 202512 })).toEqual({ range: undefined, month: undefined });
  });
  it('offers this month and two before it, over the turn of the year', () => {
    expect(monthsUntil(now).map(({ value }) => value)).toEqual(['2026-01', '2025-12', '2025-11']);
    expect(monthsUntil(now)[1]?.label).toBe('December 2025');
  });
  it('asks for whole months of UTC, and leaves the end of this one open', () => {
    expect(monthQuery(undefined, now)).toEqual({});
    expect(monthQuery('2026-01', now)).toEqual({});
    expect(monthQuery('2025-12', now)).toEqual({
      from: '2025-12-01T00:00:00.000Z',
      to: '2026-01-01T00:00:00.000Z',
    });
  });
});

describe('words', () => {
  const series: MetricSeries = {
    name: 'memory',
    unit: 'bytes',
    capacity: 4 * 2 ** 30,
    values: [2 ** 30, 1.5 * 2 ** 30, null],
    peaks: [],
    min: 0,
    avg: 2 ** 30,
    max: 2 * 2 ** 30,
    last: 1.5 * 2 ** 30,
  };
  it('sum a series up with its units', () => {
    expect(summaryOf(series)).toBe('1.5 GB of 4 GB now · avg 1 GB · max 2 GB');
    expect(summaryOf({ ...series, unit: 'percent', capacity: 100, last: 12, avg: 8, max: 40 })).toBe(
      '12 % now · avg 8 % · max 40 %',
    );
    expect(summaryOf({ ...series, last: null })).toBe('');
    expect(summaryOf({ ...series, values: [1.5 * 2 ** 30, null, null] })).toBe(
      '1.5 GB of 4 GB last · avg 1 GB · max 2 GB',
    );
  });
  it('say why there is nothing, and name states as everywhere else', () => {
    const span = { from: '2026-01-21T09:00:00Z', to: '2026-01-21T10:00:00Z' };
    expect(gapSpan({ ...span, reason: 'host_unreachable' })).toMatchObject({
      label: 'Host not reached',
      tone: 'error',
    });
    expect(stateSpan({ ...span, status: 'shutting_down' })).toMatchObject({
      label: 'Shutting down',
      tone: 'progress',
    });
  });
});
