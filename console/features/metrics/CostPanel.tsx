import styled from '@emotion/styled';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { UsageByState } from '../../../generated/api/types.gen';
import { billedForTexts } from '../../lib/billing/basisTexts';
import { formatDuration } from '../../lib/time/time';
import { exactUsd } from '../../lib/billing/money';
import { statusInfo } from '../../ui/feedback/status';
import { SelectInput } from '../../ui/forms/SelectInput';
import { Panel } from '../../ui/layout/Panel';
import { color, space, tabular, type } from '../../ui/theme';
import { monthsUntil, usageSearch } from './search';

const Total = styled('p')({ ...type.title, ...tabular });
const Sub = styled('p')({ ...type.small, color: color.muted });
const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  alignItems: 'end',
  gap: `${space(2)} ${space(6)}`,
  marginBottom: space(4),
  '& > :first-of-type': { flex: '1 1 280px', minWidth: 0 },
});
const Picker = styled('div')({ width: 180 });
const Groups = styled('ul')({ display: 'grid', gap: space(1), maxWidth: 640, marginBottom: space(4) });
const Group = styled('li')({
  ...type.body,
  ...tabular,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto minmax(88px, auto)',
  gap: space(4),
  '& > :not(:first-of-type)': { textAlign: 'right' },
});
const Muted = styled('span')({ color: color.muted });

interface Props {
  month: string | undefined;
  /** Dollars in the API's format; undefined while loading. */
  amount: string | undefined;
  byState: readonly UsageByState[];
  download: ReactNode;
  children: ReactNode;
}

/** A month's cost and what it is for. */
export function CostPanel({ month, amount, byState, download, children }: Props) {
  const navigate = useNavigate();
  const [now] = useState(() => new Date());
  const months = monthsUntil(now, month);
  const search = usageSearch(useSearch({ strict: false }));
  const chosen = months.find(({ value }) => value === month) ?? months[0];
  const present = chosen === months[0];
  const choose = (value: string) =>
    void navigate({
      to: '.',
      search: { ...search, month: value === months[0]?.value ? undefined : value },
      replace: true,
      resetScroll: false,
    });
  return (
    <Panel title="Cost" actions={download}>
      <Head>
        <div>
          <Total>{amount === undefined ? '…' : exactUsd(amount)}</Total>
          <Sub>
            {present ? `In ${chosen?.label ?? 'this month'} so far.` : `In ${chosen?.label ?? ''}.`} Seconds
            in each state × hourly price ÷ 3,600. Months are in UTC.
          </Sub>
        </div>
        <Picker>
          <SelectInput
            label="Month"
            value={chosen?.value ?? ''}
            choices={months}
            onChange={({ target }) => choose(target.value)}
          />
        </Picker>
      </Head>
      {byState.length > 0 && (
        <Groups aria-label="By state">
          {byState.map((group) => (
            <Group key={`${group.status}/${group.basis}`}>
              <span>
                {statusInfo(group.status).word} <Muted>· billed for {billedForTexts[group.basis]}</Muted>
              </span>
              <Muted>{formatDuration(group.seconds)}</Muted>
              <span>{exactUsd(group.amount)}</span>
            </Group>
          ))}
        </Groups>
      )}
      {children}
    </Panel>
  );
}
