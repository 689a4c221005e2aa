import { describe, expect, it } from 'vitest';
import { areaPath, dayTicks, indexAt, linePath, runs, timeTicks, valueScale } from './scale';
import { formatValue } from './units';

const box = { left: 0, top: 0, width: 100, height: 50 };

describe('valueScale', () => {
  it('ends at the known maximum', () => {
    expect(valueScale(12, 'percent', 100)).toEqual({ top: 100, ticks: [0, 50, 100] });
    expect(valueScale(3, 'load', 2).top).toBe(3);
  });
  it('uses round ticks for bytes', () => {
    const { top, ticks } = valueScale(700 * 1024, 'bytes_per_second');
    expect(ticks.map((tick) => formatValue(tick, 'bytes_per_second'))).toEqual([
      '0 B/s',
      '500 KB/s',
      '1,000 KB/s',
    ]);
    expect(top).toBeGreaterThan(700 * 1024);
    const whole = valueScale(0, 'bytes', 4 * 1024 ** 3).ticks;
    expect(whole.map((tick) => formatValue(tick, 'bytes'))).toEqual(['0 B', '2 GB', '4 GB']);
  });
  it('has a default range without values', () => {
    expect(valueScale(0, 'bytes_per_second')).toEqual({ top: 1, ticks: [0, 1] });
    expect(valueScale(-Infinity, 'load')).toEqual({ top: 1, ticks: [0, 1] });
  });
  it('always includes the largest value', () => {
    for (const largest of [0.003, 0.7, 1, 3.3, 99, 1e3, 5e6, 2 ** 31])
      for (const unit of ['load', 'bytes', 'percent'] as const) {
        const { top, ticks } = valueScale(largest, unit);
        expect(top).toBeGreaterThanOrEqual(largest);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(8);
      }
  });
});

describe('timeTicks', () => {
  const at = (text: string) => new Date(text).getTime();
  it('fall on round local times', () => {
    const ticks = timeTicks(at('2026-11-21T10:07:00'), at('2026-11-21T11:07:00'), 5);
    expect(ticks.map(({ label }) => label)).toEqual(['10:15', '10:30', '10:45', '11:00']);
  });
  it('fall on midnight for ranges of days', () => {
    const ticks = timeTicks(at('2026-11-14T15:00:00'), at('2026-11-21T15:00:00'), 8);
    expect(ticks.map(({ label }) => label)).toEqual([
      'Sun 15',
      'Mon 16',
      'Tue 17',
      'Wed 18',
      'Thu 19',
      'Fri 20',
      'Sat 21',
    ]);
    for (const tick of ticks) expect(new Date(tick.at).getHours()).toBe(0);
  });
  it('never exceed the requested number', () => {
    for (const days of [0.04, 1, 7, 30])
      for (const most of [2, 4, 9])
        expect(
          timeTicks(at('2026-11-01T03:00:00'), at('2026-11-01T03:00:00') + days * 86_400_000, most).length,
        ).toBeLessThanOrEqual(most + 1);
  });
});

describe('paths', () => {
  it('break at gaps and show an isolated value', () => {
    expect(runs([null, 1, 2, null, 3, null])).toEqual([
      [1, 2],
      [4, 4],
    ]);
    expect(linePath([1, 1, null, 1, null], 1, box)).toBe('M10 0L30 0M60 0L80 0');
    expect(linePath([null, null], 1, box)).toBe('');
    expect(areaPath([1, 1, null, 1], [0.5, 0.5, null, 0.5], 1, box)).toBe('M12.5 0L37.5 0L37.5 25L12.5 25Z');
  });
  it('map the pointer to a step', () => {
    expect([-5, 0, 19, 21, 99, 500].map((x) => indexAt(x, 5, box))).toEqual([0, 0, 0, 1, 4, 4]);
  });
});

describe('formatValue', () => {
  it('shows three significant digits and the unit', () => {
    expect([0, 0.0412, 0.52, 3.14159, 42.42, 100].map((value) => formatValue(value, 'percent'))).toEqual([
      '0%',
      '0.041%',
      '0.52%',
      '3.14%',
      '42.4%',
      '100%',
    ]);
    expect([0, 0.05, 0.000917, -0.0412, 0.5, 12, 1234.5].map((value) => formatValue(value, 'usd'))).toEqual([
      '$0.00',
      '$0.05',
      '$0.000917',
      '−$0.0412',
      '$0.50',
      '$12.00',
      '$1,234.50',
    ]);
    expect(formatValue(1023.6, 'bytes')).toBe('1 KB');
    expect(formatValue(1.5 * 1024 ** 3, 'bytes')).toBe('1.5 GB');
    expect(formatValue(null, 'bytes')).toBe('—');
  });
});

it.each([0.00013, 0.0002, 0.000_004, 0.07, 0.3, 4, 30])('ticks of up to $%d read differently', (largest) => {
  const labels = valueScale(largest, 'usd').ticks.map((tick) => formatValue(tick, 'usd'));
  expect(new Set(labels).size).toBe(labels.length);
});

describe('dayTicks', () => {
  const from = Date.UTC(2026, 9, 30);
  it('label UTC days, in the middle of each', () => {
    expect(dayTicks({ from, count: 3 }, 10)).toEqual([
      { at: from + 43_200_000, label: 'Oct 30' },
      { at: from + 129_600_000, label: 'Oct 31' },
      { at: from + 216_000_000, label: 'Nov 1' },
    ]);
  });
  it('are limited to the available space', () => {
    for (const count of [1, 7, 31, 92])
      for (const most of [0, 1, 4, 20]) {
        const ticks = dayTicks({ from, count }, most);
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThanOrEqual(Math.max(1, most));
      }
  });
});
