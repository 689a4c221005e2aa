import { exactUsd, guessedUsd, roundedUsd } from '../../lib/billing/money';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { CostForecast, ForecastPart } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { Cost } from '../../ui/data/Cost';
import { counted } from '../../lib/texts/count';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Bar } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { forecastOptions } from './queries';

/** The same height as the value that replaces it. */
const Pending = styled(Bar)({ display: 'inline-block', verticalAlign: 'middle' });
const Method = styled('p')({ ...type.small, color: color.muted, marginTop: space(3) });
/** The forecast interval needs at least a week of days. */
const MIN_DAYS = 7;

/** The month's cost so far, and its projected cost at current usage. */
export function ForecastPanel({ teamSlug }: { teamSlug: string }) {
  const { allowed } = useMay('billing.read', teamSlug);
  const { data, error, refetch } = useQuery({ ...forecastOptions(teamSlug), enabled: allowed });
  const problem = problemOf(error, 'Couldn’t load the forecast', () => void refetch());
  return (
    <Panel title={data ? `Forecast for ${MONTH.format(Date.parse(data.from))}` : 'Forecast'} framed>
      {problem && !data ? (
        <ErrorNotice problem={problem} />
      ) : (
        <>
          <KeyValue facts={data ? factsOf(data) : UNKNOWN} />
          <Method>
            What you’ve spent this month (UTC), plus an estimate for the rest of it: CVMs at their current
            price, or at the usual price once a reservation ends without renewing; AI requests at their 7-day
            average; and renewals.
            {data &&
              data.low !== null &&
              ` Actual costs fall within the range in 8 of 10 months, judging by how CVM and AI request costs varied over the last ${counted(data.days, ['day', 'days'])}.`}
          </Method>
        </>
      )}
    </Panel>
  );
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const spentText = (usd: string) => exactUsd(roundedUsd(usd));
const TEXTS = { spent: spentText, expected: guessedUsd };
const guessed = (usd: string) => <span title={exactUsd(usd)}>{guessedUsd(usd)}</span>;

const PARTS: Readonly<Record<ForecastPart['kind'], string>> = {
  cvms: 'CVMs',
  ai: 'AI requests',
  orders: 'Orders',
};

const Parts = styled('div')({ ...type.small, color: color.muted });

/** An amount, broken down if it isn't only for CVMs. */
function amountOf(usd: string, parts: readonly ForecastPart[], key: 'spent' | 'expected') {
  const others = parts.filter((part) => part.kind !== 'cvms' && Number(part[key]) !== 0);
  const amount = <span title={exactUsd(usd)}>{TEXTS[key](usd)}</span>;
  if (others.length === 0) return amount;
  const named = parts.filter((part) => Number(part[key]) !== 0);
  return (
    <>
      {amount}
      <Parts>{named.map((part) => `${PARTS[part.kind]} ${TEXTS[key](part[key])}`).join(', ')}</Parts>
    </>
  );
}

const UNKNOWN: Fact[] = ['So far', 'Current CVM cost', 'Expected', 'Likely range'].map((label) => ({
  label,
  value: <Pending w={72} />,
}));

const factsOf = ({ spent, hourly_rate, expected, low, high, days, parts }: CostForecast): Fact[] => [
  { label: 'So far', value: amountOf(spent, parts, 'spent') },
  { label: 'Current CVM cost', value: <Cost usd={hourly_rate} per="hour" /> },
  { label: 'Expected', value: <strong>{amountOf(expected, parts, 'expected')}</strong> },
  {
    label: 'Likely range',
    value:
      low !== null && high !== null && guessedUsd(low) === guessedUsd(high) ? (
        guessed(expected)
      ) : low !== null && high !== null ? (
        <>
          {guessed(low)} to {guessed(high)}
        </>
      ) : (
        // One line, like the skeleton, so that nothing below it moves.
        <span title={`${counted(days, ['day', 'days'])} so far`}>
          After {counted(MIN_DAYS, ['day', 'days'])} of usage
        </span>
      ),
  },
];
