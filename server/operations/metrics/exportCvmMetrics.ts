import type { MetricSeries } from '../../../generated/api/types.gen';
import { findCvm } from '../../db/cvms/cvmLookup';
import { csvLine } from '../../../console/lib/texts/csv';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { attachment } from './attachment';
import { metricsOf, type Frame } from './readMetrics';
import { metricTime } from './window';

export const exportCvmMetrics: Handler<'exportCvmMetrics'> = async ({ path, query, ctx }) => {
  const { cvm } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const time = metricTime(query);
  const { frame, of } = await metricsOf(ctx, [cvm], time);
  const name = time.range ?? frame.from.slice(0, 16);
  return attachment(`${cvm.name}-metrics-${name}`, rows(frame, of(cvm.id).series));
};

async function* rows(frame: Frame, series: readonly MetricSeries[]): AsyncGenerator<string> {
  yield csvLine([
    'from',
    ...series.flatMap(({ name, unit }) =>
      name === 'containers' ? [name] : [`${name}_${unit}`, `${name}_max_${unit}`],
    ),
  ]);
  const begin = Date.parse(frame.from);
  const steps = series[0]?.values.length ?? 0;
  for (let i = 0; i < steps; i += 1)
    yield csvLine([
      new Date(begin + i * frame.step_seconds * 1000).toISOString(),
      ...series.flatMap(({ name, values, peaks }) => {
        const value = values[i] ?? null;
        return name === 'containers' ? [value] : [value, peaks[i] ?? null];
      }),
    ]);
}
