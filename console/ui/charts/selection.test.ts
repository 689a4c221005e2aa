import { describe, expect, it, vi } from 'vitest';
import { createCursor } from './cursor';
import { selectedRange, stepAt, zoomRange } from './selection';

const START = Date.parse('2026-11-21T14:00:00Z');
const frame = { from: START, step_ms: 30_000, count: 120 };
const at = (step: number) => START + step * 30_000;

describe('a selection', () => {
  it('includes both of its steps, in either order', () => {
    expect(selectedRange(at(10), at(29), frame)).toEqual({ from: at(10), to: at(30) });
    expect(selectedRange(at(29), at(10), frame)).toEqual({ from: at(10), to: at(30) });
  });
  it('stays inside the chart when new steps push its start out', () => {
    expect(selectedRange(at(-3), at(5), frame)).toEqual({ from: at(0), to: at(6) });
  });
  it('zooms to itself', () => {
    expect(zoomRange({ from: at(10), to: at(30) }, frame)).toEqual({ from: at(10), to: at(30) });
  });
  it('zooms to at least four steps, inside the chart', () => {
    expect(zoomRange({ from: at(10), to: at(11) }, frame)).toEqual({ from: at(9), to: at(13) });
    expect(zoomRange({ from: at(0), to: at(1) }, frame)).toEqual({ from: at(0), to: at(4) });
    expect(zoomRange({ from: at(119), to: at(120) }, frame)).toEqual({ from: at(116), to: at(120) });
  });
  it('of the whole chart doesn’t zoom', () => {
    expect(zoomRange({ from: at(0), to: at(120) }, frame)).toBeNull();
    expect(zoomRange({ from: at(0), to: at(1) }, { ...frame, count: 4 })).toBeNull();
  });
});

it('finds the step of a time only inside the chart', () => {
  expect(stepAt(at(3) + 29_999, frame)).toBe(3);
  expect([stepAt(at(-1), frame), stepAt(at(120), frame), stepAt(null, frame)]).toEqual([null, null, null]);
});

it('the cursor reports changes, and only changes', () => {
  const cursor = createCursor();
  const listener = vi.fn();
  const stop = cursor.subscribe(listener);
  cursor.set({ at: 1, anchor: null });
  cursor.set({ at: 1, anchor: null });
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  cursor.set({ at: 2, anchor: 1 });
  expect(listener).toHaveBeenCalledTimes(1);
  expect(cursor.get()).toEqual({ at: 2, anchor: 1 });
});
