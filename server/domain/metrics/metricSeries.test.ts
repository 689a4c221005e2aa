import { describe, expect, it } from 'vitest';
import {
  gapsOf,
  seriesOf,
  stateSpans,
  windowOf,
  type Capacities,
  type SeriesPoint,
  type Window,
} from './metricSeries';

const NOON = Date.parse('2026-11-21T12:00:00Z') / 1000;
const window: Window = { from: NOON, step: 60, points: 6 };
const point = (seconds: number, change: Partial<SeriesPoint> = {}): SeriesPoint => ({
  ...(Object.fromEntries(
    ['cpu', 'load', 'memory', 'swap', 'disk', 'network_in', 'network_out', 'network_errors'].flatMap(
      (name) => [
        [name, null],
        [`${name}_min`, null],
        [`${name}_max`, null],
      ],
    ),
  ) as Omit<SeriesPoint, 'at' | 'samples' | 'missing' | 'containers'>),
  at: new Date((NOON + seconds) * 1000),
  samples: 1,
  missing: null,
  containers: null,
  ...change,
});
const guest: Capacities = {
  source: 'guest',
  vcpu: 2,
  num_cpus: 2,
  memory_total: 1000,
  swap_total: 0,
  disk_total: 0,
  containers_total: 2,
};
const named = (points: SeriesPoint[], name: string, capacities: Capacities | null = guest) =>
  seriesOf(points, window, capacities).find((one) => one.name === name);

describe('windowOf', () => {
  it('ends with the step in progress', () => {
    const found = windowOf(NOON + 61, { step: 60, points: 3 });
    expect(found).toEqual({ from: NOON - 60, step: 60, points: 3 });
  });
});

describe('a series', () => {
  it('has a value for each step, weighted by samples, and null where there is none', () => {
    const load = named(
      [
        point(0, { load: 1 }),
        point(30, { load: 2 }),
        point(120, { load: 4, load_min: 1, load_max: 9, samples: 10 }),
        point(150, { load: 1, samples: 2 }),
        point(180, { samples: 0, missing: 'host' }),
        point(3600, { load: 99 }),
        point(-1, { load: 99 }),
      ],
      'load',
    );
    expect(load?.values).toEqual([1.5, null, 3.5, null, null, null]);
    expect(load?.peaks).toEqual([2, null, 9, null, null, null]);
    expect(load).toMatchObject({ unit: 'load', capacity: 2, min: 1, max: 9, last: 1 });
    expect(load?.avg).toBeCloseTo((1 + 2 + 40 + 2) / 14, 3);
  });
  it('never exceeds its maximum, except for load', () => {
    expect(named([point(0, { memory: 1000.4 })], 'memory')?.max).toBe(1000);
    expect(named([point(0, { load: 12 })], 'load')?.max).toBe(12);
  });
  it('shows CPU as a share if known, otherwise as load', () => {
    const names = (points: SeriesPoint[], source: Capacities['source']) =>
      seriesOf(points, window, { ...guest, source }).map(({ name }) => name);
    expect(names([], 'guest')).toContain('load');
    expect(names([], 'guest')).not.toContain('cpu');
    expect(names([point(0, { cpu: 3 })], 'containers')).not.toContain('load');
    expect(names([point(0, { cpu: 3 })], 'containers')).toContain('cpu');
  });
  it('reports when nothing was measured', () => {
    expect(named([], 'memory', null)).toMatchObject({
      capacity: null,
      min: null,
      avg: null,
      max: null,
      last: null,
    });
  });
  it('shows the lowest container count', () => {
    const found = named([point(0, { containers: 2 }), point(30, { containers: 1 })], 'containers');
    expect(found).toMatchObject({ capacity: 2, values: [1, null, null, null, null, null], last: 1 });
  });
});

describe('states and gaps', () => {
  const at = (seconds: number, status: string) => ({ status, at: new Date((NOON + seconds) * 1000) });
  const brief = (spans: { from: string; to: string; status?: string; reason?: string }[]) =>
    spans.map((span) => [
      Date.parse(span.from) / 1000 - NOON,
      Date.parse(span.to) / 1000 - NOON,
      span.status ?? span.reason,
    ]);

  it('fill the window with states, merging equal neighbors', () => {
    const spans = stateSpans(
      [at(-500, 'creating'), at(-400, 'running'), at(50, 'running'), at(90, 'stopping'), at(80, 'stopped')],
      window,
    );
    expect(brief(spans)).toEqual([
      [0, 90, 'running'],
      [90, 360, 'stopped'],
    ]);
  });
  it('give a reason for each gap', () => {
    const states = stateSpans([at(60, 'creating'), at(120, 'running'), at(300, 'stopped')], window);
    const points = [point(120, { load: 1 }), point(180, { samples: 0, missing: 'host' })];
    expect(brief(gapsOf(points, states, window, { now: NOON + 7200, every: 30 }))).toEqual([
      [0, 60, 'not_created'],
      [60, 120, 'changing'],
      [180, 240, 'host_unreachable'],
      [240, 300, 'not_collected'],
      [300, 360, 'stopped'],
    ]);
  });
  it('exclude steps that may still be measured', () => {
    const states = stateSpans([at(-60, 'running')], window);
    const points = [0, 60, 120, 180].map((seconds) => point(seconds, { load: 1 }));
    expect(gapsOf(points, states, window, { now: NOON + 350, every: 30 })).toEqual([]);
    expect(gapsOf(points, states, window, { now: NOON + 450, every: 30 })).toHaveLength(1);
  });
});
