import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CurrentCost } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { balanceOptions } from '../../../api/runway';
import { useMay } from '../../../api/session';
import { billedForTexts } from '../../../lib/billing/basisTexts';
import { formatMonthly, formatUsd, parseMicros, perMonth } from '../../../lib/billing/money';
import { capitalized } from '../../../lib/texts/capitalized';
import { appCvmPath, deployPath, recycleBinPath } from '../../../lib/paths';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Notice } from '../../../ui/feedback/Notice';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, type } from '../../../ui/theme';
import { nextRate } from '../nextRate';
import { forecastOptions } from '../queries';

const Muted = styled('span')({ ...type.small, color: color.muted });
const Left = styled(Muted)({
  display: 'block',
  // Inline in the second line of a phone row.
  '@container (max-width: 560px)': { display: 'inline', font: 'inherit' },
});

/** Repeats the heading, which a phone row doesn't have. */
const OnPhone = styled('span')({ display: 'none', '@container (max-width: 560px)': { display: 'inline' } });

/** The price of everything that currently costs money, and the savings from stopping it. */
export function CurrentCosts({ teamSlug }: { teamSlug: string }) {
  const { allowed } = useMay('billing.read', teamSlug);
  const deploys = useMay('cvms.write', teamSlug).allowed;
  const { data, error, refetch } = useQuery({ ...forecastOptions(teamSlug), enabled: allowed });
  const { data: billing } = useQuery({ ...balanceOptions(teamSlug), enabled: allowed });
  const next = billing ? nextRate(billing) : null;
  const columns = useMemo(() => columnsOf(teamSlug), [teamSlug]);
  return (
    <Panel title="Current prices" subtitle="Monthly prices assume 730 hours.">
      {data && data.current_total > data.current.length && (
        <Notice tone="neutral">
          Showing the {data.current.length} most expensive of {data.current_total} CVMs.
        </Notice>
      )}
      <DataTable
        id="current-costs"
        label="current prices"
        noun={['CVM', 'CVMs']}
        columns={columns}
        rows={data?.current}
        problem={problemOf(error, 'Couldn’t load the prices', () => void refetch())}
        rowId={({ cvm }) => cvm.id ?? ''}
        rowName={({ cvm }) => cvm.name ?? ''}
        empty={
          <EmptyState
            picture="cvms"
            {...(deploys && { link: { label: 'Deploy', href: deployPath(teamSlug) } })}
          >
            No current costs.{next === null ? '' : ` You’ll pay ${next}.`}
          </EmptyState>
        }
      />
    </Panel>
  );
}

const sizeOf = ({ vcpu, memory_mb, disk_gb }: CurrentCost) =>
  `${vcpu} vCPU, ${Math.round((memory_mb / 1024) * 10) / 10} GB memory, ${disk_gb} GB disk`;

const columnsOf = (teamSlug: string): Column<CurrentCost>[] => [
  {
    id: 'name',
    header: 'CVM',
    // A deleted CVM has no page.
    cell: ({ cvm, destroyed_at }) =>
      destroyed_at ? (
        <>
          {cvm.name} <TextLink href={recycleBinPath(teamSlug)}>In the recycle bin</TextLink>
        </>
      ) : cvm.app_id !== null && cvm.vm_uuid !== null ? (
        <TextLink href={appCvmPath(teamSlug, cvm.app_id, cvm.vm_uuid)}>{cvm.name}</TextLink>
      ) : (
        cvm.name
      ),
  },
  {
    id: 'size',
    header: 'Size',
    priority: 2,
    phone: 'meta',
    cell: (one) => <span title={sizeOf(one)}>{one.instance_type ?? sizeOf(one)}</span>,
  },
  {
    id: 'basis',
    header: 'Billed for',
    width: 150,
    priority: 3,
    phone: 'hide',
    cell: ({ basis }) => (basis === 'disk' ? 'Disk only' : capitalized(billedForTexts[basis])),
  },
  {
    id: 'hour',
    header: 'Per hour',
    width: 120,
    align: 'right',
    labelled: true,
    phone: 'end',
    cell: ({ hourly_rate }) => <Cost usd={hourly_rate} />,
  },
  {
    id: 'month',
    header: 'Per month',
    width: 130,
    align: 'right',
    priority: 2,
    phone: 'hide',
    cell: ({ hourly_rate }) => formatUsd(perMonth(parseMicros(hourly_rate) ?? 0)),
  },
  {
    id: 'stop',
    header: 'If stopped',
    width: 250,
    wrap: true,
    phone: 'meta',
    cell: (one) => <IfStopped {...one} />,
  },
];

export function IfStopped({ basis, hourly_rate, stopped_hourly_rate, destroyed_at }: CurrentCost) {
  if (destroyed_at)
    return (
      <Muted>
        Deleted. Its disk is destroyed <RelativeTime at={destroyed_at} inWords />
      </Muted>
    );
  if (basis !== 'size') return <Muted>Already stopped</Muted>;
  const [now, stopped] = [parseMicros(hourly_rate) ?? 0, parseMicros(stopped_hourly_rate) ?? 0];
  return (
    <>
      Saves {formatMonthly(Math.max(0, now - stopped))}
      <OnPhone> if stopped{stopped > 0 && '.'}</OnPhone>{' '}
      {stopped > 0 && <Left>Disk still costs {formatMonthly(stopped)}</Left>}
    </>
  );
}
