import { describe, expect, it } from 'vitest';
import { moveIndex, newest, readStep, spanAt, type ChartFrame, type ChartSpan } from './chart';
import { lineLook } from './looks';

const START = new Date('2026-11-21T14:00:00').getTime();
const frame: ChartFrame = { from: START, step_ms: 30_000, count: 4 };
const span = (from: number, to: number, label: string, tone: ChartSpan['tone'] = 'neutral'): ChartSpan => ({
  from: START + from * 1000,
  to: START + to * 1000,
  label,
  tone,
});
const cpu = { id: 'cpu', name: 'CPU', values: [10, 12.5, null, null], peaks: [10, 40, null, null] };
const around = {
  gaps: [span(60, 90, 'Host not reached')],
  states: [span(0, 30, 'Running', 'ok'), span(30, 60, 'Updating', 'progress')],
};

describe('readStep', () => {
  it('includes the exact time, the value and its maximum', () => {
    expect(readStep(0, frame, [cpu], 'percent', around)).toBe('14:00:00: 10%');
    expect(readStep(1, frame, [cpu], 'percent', around)).toBe('14:00:30: 12.5% (peak 40%), updating');
  });
  it('explains a missing value', () => {
    expect(readStep(2, frame, [cpu], 'percent', around)).toBe('14:01:00: no data, host not reached');
    expect(readStep(3, frame, [cpu], 'percent', around)).toBe('14:01:30: no data');
  });
  it('names each of several lines', () => {
    const two = [cpu, { id: 'other', name: 'Other', values: [null, 3, null, null] }];
    expect(readStep(1, frame, two, 'percent', { gaps: [], states: [] })).toBe(
      '14:00:30: CPU 12.5% (peak 40%), Other 3%',
    );
    expect(readStep(0, frame, two, 'percent', { gaps: [], states: [] })).toBe('14:00:00: CPU 10%, Other —');
  });
});

describe('the chart cursor', () => {
  it('moves by keyboard within the chart', () => {
    expect(moveIndex('ArrowLeft', 0, 4)).toBe(0);
    expect(moveIndex('ArrowRight', 1, 4)).toBe(2);
    expect(moveIndex('End', 1, 4)).toBe(3);
    expect(moveIndex('PageDown', 100, 120)).toBe(88);
    expect(moveIndex('Tab', 1, 4)).toBeNull();
  });
  it('starts at the newest value', () => {
    expect(newest([cpu], 4)).toBe(1);
    expect(newest([], 4)).toBe(3);
  });
  it('finds the span at its position', () => {
    expect(spanAt(around.gaps, 2, frame)?.label).toBe('Host not reached');
    expect(spanAt(around.gaps, 3, frame)).toBeUndefined();
  });
});

it('draws thirty distinct lines, with neighbors that differ by more than color', () => {
  const looks = Array.from({ length: 30 }, (_, i) => lineLook(i));
  expect(new Set(looks.map((look) => `${look.stroke}${look.dash}`)).size).toBe(30);
  looks.slice(1).forEach((look, i) => {
    expect(look.dash).not.toBe(looks[i]!.dash);
    expect(look.mark).not.toBe(looks[i]!.mark);
  });
});
