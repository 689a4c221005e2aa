import styled from '@emotion/styled';
import { useMemo } from 'react';
import type { AiUsageDay } from '../../../generated/api/types.gen';
import { ChartSync } from '../../ui/charts/ChartSync';
import { TimeChart } from '../../ui/charts/TimeChart';
import { formatValue } from '../../ui/charts/units';
import { space } from '../../ui/theme';
import { lastDays, linesOf, MEASURES, type Measure } from './usageSeries';

const Grid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))',
  gap: space(6),
});

interface Props {
  days: readonly AiUsageDay[];
  /** Load time, in milliseconds since 1970. */
  at: number;
}

/** Requests, tokens and cost of the last 30 days by model. */
export function UsageCharts({ days, at }: Props) {
  return (
    <ChartSync>
      <Grid>
        {MEASURES.map((measure) => (
          <Chart key={measure.id} {...{ measure, days, at }} />
        ))}
      </Grid>
    </ChartSync>
  );
}

function Chart({ measure, days, at }: Props & { measure: Measure }) {
  const frame = useMemo(() => lastDays(at), [at]);
  const lines = useMemo(() => linesOf(days, measure, frame), [days, measure, frame]);
  const total = days.reduce((sum, day) => sum + measure.of(day), 0);
  return (
    <TimeChart
      label={measure.label}
      unit={measure.unit}
      {...{ frame, lines }}
      range="last 30 days"
      summary={`${formatValue(total, measure.unit)} in total`}
    />
  );
}
