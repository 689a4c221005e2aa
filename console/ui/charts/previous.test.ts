import { describe, expect, it } from 'vitest';
import { readStep } from './chart';
import { previousValues } from './previous';

const frame = { from: 1000, step_ms: 10, count: 4 };

describe('previousValues', () => {
  it('lays equal steps over each other', () => {
    expect(previousValues(frame, { from: 960, step_ms: 10 }, [1, null, 3, 4])).toEqual([1, null, 3, 4]);
  });
  it('repeats a value of longer steps, wherever these start', () => {
    expect(previousValues(frame, { from: 960, step_ms: 20 }, [1, 2])).toEqual([1, 1, 2, 2]);
    expect(previousValues(frame, { from: 950, step_ms: 20 }, [1, 2, 3])).toEqual([1, 2, 2, 3]);
  });
  it('has nothing outside what was measured', () => {
    expect(previousValues(frame, { from: 980, step_ms: 10 }, [3])).toEqual([null, null, 3, null]);
    expect(previousValues(frame, { from: 960, step_ms: 10 }, [])).toEqual([null, null, null, null]);
  });
});

it('a reading includes the previous period', () => {
  const around = { gaps: [], states: [] };
  const minutes = { from: new Date('2026-11-21T14:00:00').getTime(), step_ms: 30_000, count: 2 };
  const cpu = { id: 'cpu', name: 'CPU', values: [10, null], peaks: [40, null], previous: [8, 9] };
  expect(readStep(0, minutes, [cpu], 'percent', around)).toBe('14:00:00: 10% (peak 40%, previous period 8%)');
  expect(readStep(1, minutes, [cpu], 'percent', around)).toBe('14:00:30: no data, previous period 9%');
});
