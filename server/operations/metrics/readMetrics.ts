import type { MetricGap, MetricRange, MetricSeries, StateSpan } from '../../../generated/api/types.gen';
import { readMetrics, readMetricStates, type MetricPoint } from '../../db/metrics/metrics';
import { stateChanges } from '../../db/cvms/stateChanges';
import { RANGES, stepsOf } from '../../domain/metrics/metricLevels';
import type { MetricSource } from '../../domain/metrics/metrics';
import {
  endOf,
  gapsOf,
  seriesOf,
  stateSpans,
  windowAround,
  windowOf,
  type Window,
} from '../../domain/metrics/metricSeries';
import type { Context } from '../types';
import type { MetricTime } from './window';

/** Maximum state changes across all CVMs of a reply; beyond it, only the first ones are shown. */
const MAX_CHANGES = 2_000;

export interface ReadMetrics {
  series: MetricSeries[];
  gaps: MetricGap[];
  states: StateSpan[];
  source: MetricSource | null;
  disk_name: string | null;
  containers_total: number | null;
}

export interface Frame {
  range: MetricRange | null;
  from: string;
  to: string;
  step_seconds: number;
  sampled_every_seconds: number;
}

/** Returns the steps that cover the time, and the step of the ring that holds them. */
function stepsIn(
  time: MetricTime,
  now: number,
  every: number,
  coarse: number,
): { level: number; window: Window } {
  // Steps shorter than the sampling interval would leave a gap after each value.
  const wide = (step: number) => step * Math.max(coarse, Math.ceil(every / step));
  if (time.range !== null) {
    const { step, points } = RANGES[time.range];
    const wider = wide(step);
    return {
      level: step,
      window: windowOf(now, { step: wider, points: Math.ceil((points * step) / wider) }),
    };
  }
  const [from, to] = [time.from.getTime() / 1000, time.to.getTime() / 1000];
  const { level, step } = stepsOf(from, to, now);
  return { level, window: windowAround(from, to, wide(step)) };
}

/** Returns each CVM's usage in the range or window. `coarse`: factor that lengthens the steps. */
export async function metricsOf(
  ctx: Context,
  cvms: readonly { id: number; vcpu: number }[],
  time: MetricTime,
  coarse = 1,
): Promise<{ frame: Frame; of: (id: number) => ReadMetrics }> {
  const now = new Date();
  const every = ctx.config.metricsSeconds;
  const { level, window } = stepsIn(time, now.getTime() / 1000, every, coarse);
  const ids = cvms.map(({ id }) => id);
  const from = new Date(window.from * 1000);
  const to = new Date(endOf(window) * 1000);
  const [read, states, changes] = await Promise.all([
    readMetrics(ctx.db, ids, { step: level, from, to }),
    readMetricStates(ctx.db, ids),
    stateChanges(ctx.db, ids, { from, to }, MAX_CHANGES),
  ]);
  const byCvm = new Map<number, MetricPoint[]>();
  for (const point of read) {
    const of = byCvm.get(point.cvm_id);
    if (of) of.push(point);
    else byCvm.set(point.cvm_id, [point]);
  }
  const vcpus = new Map(cvms.map(({ id, vcpu }) => [id, vcpu]));
  return {
    frame: {
      range: time.range,
      from: from.toISOString(),
      to: to.toISOString(),
      step_seconds: window.step,
      sampled_every_seconds: every,
    },
    of(id) {
      const points = byCvm.get(id) ?? [];
      const state = states.find(({ cvm_id }) => cvm_id === id);
      const spans = stateSpans(
        changes.filter(({ cvm_id }) => cvm_id === id),
        window,
      );
      return {
        series: seriesOf(points, window, state ? { ...state, vcpu: vcpus.get(id) ?? 0 } : null),
        gaps: gapsUntil(now, points, spans, window, every),
        states: clipped(spans, now),
        source: state?.source ?? null,
        disk_name: state?.disk_name ?? null,
        containers_total: state?.containers_total ?? null,
      };
    },
  };
}

function gapsUntil(
  now: Date,
  points: readonly MetricPoint[],
  spans: readonly StateSpan[],
  window: Window,
  every: number,
): MetricGap[] {
  return gapsOf(points, spans, window, { now: now.getTime() / 1000, every });
}

/** The last step isn't over, so its final state is unknown. */
function clipped(spans: readonly StateSpan[], now: Date): StateSpan[] {
  const at = now.toISOString();
  return spans.filter(({ from }) => from < at).map((span) => (span.to > at ? { ...span, to: at } : span));
}
