import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { CostForecast } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { Cost, dollars } from '../../ui/data/Cost';
import { counted } from '../../lib/texts/count';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { roundedUsd } from './amount';
import { forecastOptions } from './queries';

const Method = styled('p')({ ...type.small, color: color.muted, marginTop: space(3) });
/** An interval needs a week of days to compare. */
const LEAST_DAYS = 7;

/** The month so far, and what it will cost at current usage. */
export function ForecastPanel({ teamSlug }: { teamSlug: string }) {
  const { allowed } = useMay('billing.read', teamSlug);
  const { data, error, refetch } = useQuery({ ...forecastOptions(teamSlug), enabled: allowed });
  const problem = problemOf(error, 'Couldn’t load the forecast', () => void refetch());
  return (
    <Panel title={data ? `Forecast for ${MONTH.format(Date.parse(data.from))}` : 'Forecast'} framed>
      {data ? (
        <>
          <KeyValue facts={factsOf(data)} />
          <Method>
            At current usage: the month so far, plus the current cost for the rest of the month (UTC).
            {data.low !== null &&
              ` The range holds the result in 8 of 10 months; it is computed from the differences between the last ${counted(data.days, ['day', 'days'])}.`}
          </Method>
        </>
      ) : problem ? (
        <ErrorNotice problem={problem} />
      ) : (
        <RowsSkeleton rows={2} />
      )}
    </Panel>
  );
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const rounded = (usd: string) => <span title={dollars(usd)}>{dollars(roundedUsd(usd))}</span>;

const factsOf = ({ spent, hourly_rate, expected, low, high, days }: CostForecast): Fact[] => [
  { label: 'So far', value: rounded(spent) },
  { label: 'Cost now', value: <Cost usd={hourly_rate} per="hour" /> },
  { label: 'Expected', value: <strong>{rounded(expected)}</strong> },
  {
    label: '80 % range',
    value:
      low !== null && high !== null ? (
        <>
          {rounded(low)} to {rounded(high)}
        </>
      ) : (
        `After ${counted(LEAST_DAYS, ['day', 'days'])} of usage; ${days} so far`
      ),
  },
];
