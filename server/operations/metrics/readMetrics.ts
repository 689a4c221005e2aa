import type { MetricGap, MetricRange, MetricSeries, StateSpan } from '../../../generated/api/types.gen';
import { readMetrics, readMetricStates, type MetricPoint } from '../../db/metrics';
import { stateChanges } from '../../db/stateChanges';
import { RANGES } from '../../domain/metricLevels';
import type { MetricSource } from '../../domain/metrics';
import { endOf, gapsOf, seriesOf, stateSpans, windowOf, type Window } from '../../domain/metricSeries';
import type { Context } from '../types';

/** Of all CVMs of an answer; a CVM that changes more often than this within a month shows its first ones. */
const MOST_CHANGES = 2_000;

export interface ReadMetrics {
  series: MetricSeries[];
  gaps: MetricGap[];
  states: StateSpan[];
  source: MetricSource | null;
  disk_name: string | null;
  containers_total: number | null;
}

export interface Frame {
  range: MetricRange;
  from: string;
  to: string;
  step_seconds: number;
  sampled_every_seconds: number;
}

/** What these CVMs used in the range, each by itself. `coarse`: steps are so many times longer. */
export async function metricsOf(
  ctx: Context,
  cvms: readonly { id: number; vcpu: number }[],
  range: MetricRange,
  coarse = 1,
): Promise<{ frame: Frame; of: (id: number) => ReadMetrics }> {
  const now = new Date();
  const every = ctx.config.metricsSeconds;
  const { step, points } = RANGES[range];
  // Slower rounds than steps would leave a hole after each value.
  const wide = Math.max(coarse, Math.ceil(every / step));
  const window = windowOf(now.getTime() / 1000, { step: step * wide, points: Math.ceil(points / wide) });
  const ids = cvms.map(({ id }) => id);
  const from = new Date(window.from * 1000);
  const to = new Date(endOf(window) * 1000);
  const [read, states, changes] = await Promise.all([
    readMetrics(ctx.db, ids, { step, from }, now),
    readMetricStates(ctx.db, ids),
    stateChanges(ctx.db, ids, { from, to }, MOST_CHANGES),
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
      range,
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

/** The last step is not over, and nobody knows yet what state it ends in. */
function clipped(spans: readonly StateSpan[], now: Date): StateSpan[] {
  const at = now.toISOString();
  return spans.filter(({ from }) => from < at).map((span) => (span.to > at ? { ...span, to: at } : span));
}
