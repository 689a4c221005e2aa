import { describe, expect, it } from 'vitest';
import type { MetricSeries, Operation } from '../../../generated/api/types.gen';
import { eventsHref, markersOf } from './changes';
import { missingBefore, periodBefore, withPrevious } from './compare';
import { monthQuery, monthsUntil, usageSearch } from './search';
import { frameOf, gapSpan, lineOf, stateSpan, summaryOf } from './texts';

const now = new Date('2026-01-21T10:00:00Z');

describe('the usage address', () => {
  it('keeps valid parameters', () => {
    expect(usageSearch({ range: 'week', month: '2025-12', compare: 'previous', other: 1 })).toMatchObject({
      compare: 'previous',
      range: 'week',
      month: '2025-12',
    });
    expect(usageSearch({ range: 'hour', month: '2025-13', compare: 'next' })).toEqual({
      from: undefined,
      to: undefined,
      compare: undefined,
      range: undefined,
      month: undefined,
    });
    expect(usageSearch({ range: 'year', month: 202512 })).toMatchObject({
      range: undefined,
      month: undefined,
    });
  });
  it('keeps a valid zoomed range', () => {
    const zoom = { from: '2026-01-21T09:00:00Z', to: '2026-01-21T09:10:30Z' };
    expect(usageSearch({ ...zoom, range: 'day' })).toMatchObject({ ...zoom, range: 'day' });
    const invalid = [
      { from: zoom.from },
      { from: zoom.to, to: zoom.from },
      { from: zoom.from, to: zoom.from },
      { from: zoom.from, to: '2026-01-21T99:00:00Z' },
      { from: zoom.from, to: 'now' },
    ];
    for (const search of invalid)
      expect(usageSearch(search)).toMatchObject({ from: undefined, to: undefined });
  });
  it('offers the current month and the two before it, across a year boundary', () => {
    expect(monthsUntil(now).map(({ value }) => value)).toEqual(['2026-01', '2025-12', '2025-11']);
    expect(monthsUntil(now)[1]?.label).toBe('December 2025');
    // An address may name an earlier month, which must not be shown under another month's name.
    expect(monthsUntil(now, '2025-06').at(-1)).toEqual({ value: '2025-06', label: 'June 2025' });
    expect(monthsUntil(now, '2025-12')).toHaveLength(3);
  });
  it('requests whole UTC months and leaves the current one open', () => {
    expect(monthQuery(undefined, now)).toEqual({});
    expect(monthQuery('2026-01', now)).toEqual({});
    expect(monthQuery('2025-12', now)).toEqual({
      from: '2025-12-01T00:00:00.000Z',
      to: '2026-01-01T00:00:00.000Z',
    });
  });
});

describe('changes', () => {
  const operation = (type: Operation['type'], change: Partial<Operation> = {}) =>
    ({
      correlation_id: `id-${type}`,
      type,
      state: 'succeeded',
      started_at: '2026-01-21T09:00:00Z',
      revision: null,
      rolls_back_to: null,
      cvm: { object_type: 'cvm', id: 'cvm_1', name: 'web-1', app_id: 'a', vm_uuid: 'u' },
      ...change,
    }) as Operation;
  const labels = (operations: Operation[], named = false) =>
    markersOf(operations, named).map(({ label }) => label);

  it('are the operations that changed what runs, with their outcome', () => {
    const revision = { revision_id: 'rev_3', revision_number: 3 };
    expect(
      labels([
        operation('update', { revision }),
        operation('update', {
          revision,
          rolls_back: true,
          rolls_back_to: { revision_id: 'rev_1', revision_number: 1 },
        }),
        operation('restart', { state: 'failed' }),
        operation('stop', { state: 'running' }),
        operation('start', { state: 'queued', started_at: null }),
        operation('purge'),
      ]),
    ).toEqual(['Update to revision 3', 'Rollback to revision 1', 'Restart failed', 'Stop in progress']);
    expect(markersOf([operation('stop')], false)[0]?.at).toBe(Date.parse('2026-01-21T09:00:00Z'));
    expect(markersOf([operation('stop'), operation('restart', { state: 'failed' })], false)).toMatchObject([
      { kind: 'stop', failed: false },
      { kind: 'restart', failed: true },
    ]);
  });
  it('name their CVM if there are several', () => {
    expect(labels([operation('resize')], true)).toEqual(['web-1: Resize']);
  });
  it('link to their events, at most 20 per link', () => {
    expect(eventsHref('/team/cvms/u/events', ['a', 'b'])).toBe('/team/cvms/u/events?q=operation%3Aa%2Cb');
    const many = eventsHref(
      '/e',
      Array.from({ length: 30 }, (_, i) => `id${i}`),
    );
    expect(decodeURIComponent(many).split(',')).toHaveLength(20);
    expect(many).toContain('id29');
  });
});

describe('the previous period', () => {
  const metrics = { from: '2026-01-21T09:00:00.000Z', to: '2026-01-21T10:00:00.000Z', step_seconds: 1800 };
  const series: MetricSeries = {
    name: 'cpu',
    unit: 'percent',
    capacity: 100,
    values: [1, 2],
    peaks: [1, 2],
    min: 1,
    avg: 1.5,
    max: 2,
    last: 2,
  };
  it('has the same length', () => {
    expect(periodBefore(metrics)).toEqual({ from: '2026-01-21T08:00:00.000Z', to: metrics.from });
  });
  it('adds its values to the line of the same metric', () => {
    const frame = frameOf(metrics, [series]);
    const past = {
      metrics: { ...metrics, ...periodBefore(metrics) },
      series: [{ ...series, values: [7, 8] }],
    };
    expect(withPrevious(lineOf(series), 'cpu', frame, past)).toMatchObject({
      values: [1, 2],
      previous: [7, 8],
    });
    expect(withPrevious(lineOf(series), 'cpu', frame, null).previous).toBeUndefined();
    expect(withPrevious(lineOf(series), 'memory', frame, past).previous).toEqual([null, null]);
  });
  it('reports if nothing was measured, or its start is no longer kept', () => {
    const at = now.getTime();
    expect(missingBefore(metrics, [series], at)).toBeNull();
    expect(missingBefore(metrics, [{ ...series, last: null }], at)).toMatchObject({
      title: 'No data for the previous period.',
      text: expect.stringMatching(/^No metrics were collected from Jan 21/) as string,
    });
    const month = { ...metrics, from: '2025-12-22T10:00:00.000Z' };
    expect(missingBefore(month, [series], at)?.title).toBe('The previous period is incomplete.');
  });
});

describe('texts', () => {
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
  it('summarize a series with units', () => {
    expect(summaryOf(series, 'hour')).toBe('1.5 GB of 4 GB now · avg 1 GB · max 2 GB');
    expect(summaryOf({ ...series, unit: 'percent', capacity: 100, last: 12, avg: 8, max: 40 }, 'hour')).toBe(
      '12% now · avg 8% · max 40%',
    );
    expect(summaryOf({ ...series, last: null }, 'hour')).toBe('');
    expect(summaryOf({ ...series, values: [1.5 * 2 ** 30, null, null] }, 'hour')).toBe(
      '1.5 GB of 4 GB last · avg 1 GB · max 2 GB',
    );
  });
  it('explain gaps and use the usual status names', () => {
    const span = { from: '2026-01-21T09:00:00Z', to: '2026-01-21T10:00:00Z' };
    expect(gapSpan({ ...span, reason: 'host_unreachable' })).toMatchObject({
      label: 'Host unreachable',
      tone: 'error',
    });
    expect(stateSpan({ ...span, status: 'shutting_down' })).toMatchObject({
      label: 'Shutting down',
      tone: 'progress',
    });
  });
});
