import styled from '@emotion/styled';
import { exactUsd, formatMicros, perMonth } from '../../lib/billing/money';
import { Cost } from './Cost';

// Allows line breaks only between the rates.
const Rate = styled('span')({ whiteSpace: 'nowrap' });

interface Props {
  /** The cost's label: "Cost", "App cost". */
  label: string;
  /** Micro-dollars per hour, before and after the action. */
  before: number;
  after: number;
  /** Whether one of the rates lasts less than a month, so that a monthly cost would mislead. */
  hourly?: boolean;
}

/** How an action changes the cost per hour and month. */
export function SpendChange({ label, before, after, hourly = false }: Props) {
  const isSame = before === after;
  return (
    <>
      {label}:{' '}
      <Rate>
        {!isSame && `${exactUsd(formatMicros(before))} → `}
        <Cost usd={formatMicros(after)} per="hour" />
        {!hourly && ','}
      </Rate>
      {!hourly && (
        <>
          {' '}
          <Rate>
            {!isSame && `${exactUsd(monthly(before))} → `}
            <Cost usd={monthly(after)} per="month" />
          </Rate>
        </>
      )}
      {isSame && ' (unchanged)'}
    </>
  );
}

/** Rounded to cents, because a month at a rate with six decimals is an estimate. */
const monthly = (micros: number): string => formatMicros(Math.round(perMonth(micros) / 10_000) * 10_000);
