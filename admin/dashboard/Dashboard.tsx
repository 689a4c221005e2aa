import styled from '@emotion/styled';
import { useGetList } from 'react-admin';
import type {
  AdminAbuseReport,
  AdminKms,
  AdminKmsContract,
  AdminMonitoringEvent,
  AdminNode,
  AdminPayment,
  AdminTeepod,
} from '../../generated/api/types.gen';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { space } from '../../console/ui/theme';
import { useCrumbs } from '../frame/slots';
import { problemOf } from '../http';
import { getResource } from '../schema/resources';
import { useRefusal, useSession } from '../session';
import { useApprovals } from '../useApprovals';
import {
  bySeverity,
  concernsOf,
  concernsOfApprovals,
  concernsOfKeys,
  concernsOfReports,
  concernsOfUnread,
} from './attention';
import { Alerts } from './Alerts';
import { Capacity } from './Capacity';
import { Concerns } from './Concerns';
import { Fleet } from './Fleet';
import { capacityOf, concernsOfCapacity } from './fleetCapacity';
import { concernsOfTransfers, WAITING_TRANSFERS } from './moneyConcerns';
import { Queues } from './Queues';
import { Reports } from './Reports';
import { Spend } from './Spend';
import { useServiceConcerns } from './useService';

/** The API's maximum page size. Larger fleets show that the sums are partial. */
const MAX_HOSTS = 1000;
const MAX_REPORTS = 5;
const MAX_KEYS = 100;

const REFRESH_MS = 15_000;

const Grid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
  gap: space(6),
  '&& > * + *': { marginTop: 0 },
  // Panels side by side end at the same height, and their contents stretch.
  '& > section': { display: 'flex', flexDirection: 'column' },
  '& > section > :last-child': { flex: 1, display: 'flex', flexDirection: 'column' },
});

const Below = styled('div')({ margin: `${space(6)} 0` });

/** Fleet health, capacity, alerts, queues, spend and error reports. */
export function Dashboard() {
  useCrumbs([{ label: 'Overview' }]);
  const { platform_permissions } = useSession();
  const refusal = useRefusal();
  const may = (resource: string) =>
    platform_permissions.includes(getResource(resource).permissions.list ?? 'not listed');
  const again = { refetchInterval: REFRESH_MS, onError: () => undefined };
  const all = {
    pagination: { page: 1, perPage: MAX_HOSTS },
    sort: { field: 'name', order: 'ASC' as const },
  };
  const nodes = useGetList<AdminNode>('nodes', all, {
    ...again,
    enabled: may('nodes'),
  });
  const teepods = useGetList<AdminTeepod>('teepods', all, {
    ...again,
    enabled: may('teepods'),
  });
  const unhealthy = {
    pagination: { page: 1, perPage: MAX_KEYS },
    sort: { field: 'id', order: 'ASC' as const },
    filter: { health: ['alarm', 'unreachable'] },
  };
  const kms = useGetList<AdminKms>('kms', unhealthy, {
    ...again,
    enabled: may('kms'),
  });
  const contracts = useGetList<AdminKmsContract>('kms-contracts', unhealthy, {
    ...again,
    enabled: may('kms-contracts'),
  });
  const reports = useGetList<AdminMonitoringEvent>(
    'monitoring-events',
    {
      pagination: { page: 1, perPage: MAX_REPORTS },
      sort: { field: 'received_at', order: 'DESC' },
    },
    { ...again, enabled: may('monitoring-events') },
  );
  const abuse = useGetList<AdminAbuseReport>(
    'abuse-reports',
    {
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'id', order: 'DESC' },
      filter: { state: ['open'] },
    },
    { ...again, enabled: may('abuse-reports') },
  );
  // Other roles may read payments but can't confirm them.
  const confirms = platform_permissions.includes('admin.billing.write');
  const transfers = useGetList<AdminPayment>(
    'payments',
    {
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'id', order: 'DESC' },
      filter: WAITING_TRANSFERS,
    },
    { ...again, enabled: confirms },
  );
  const hosts = teepods.data;
  const machines = nodes.data;
  const service = useServiceConcerns(
    { teepods: hosts ?? [], nodes: machines ?? [] },
    { may, every: REFRESH_MS },
  );
  const approvals = useApprovals(REFRESH_MS);
  const error =
    nodes.error ??
    teepods.error ??
    reports.error ??
    kms.error ??
    contracts.error ??
    abuse.error ??
    transfers.error ??
    service.error ??
    approvals.error;
  // Undefined if all hosts are loaded.
  const first = (teepods.total ?? 0) > MAX_HOSTS ? MAX_HOSTS : undefined;
  const seesFleet = may('nodes') && may('teepods');
  const checking =
    kms.isLoading ||
    contracts.isLoading ||
    abuse.isLoading ||
    transfers.isLoading ||
    service.isLoading ||
    approvals.isLoading;
  // All or nothing: concerns that arrive one by one would push everything below them down.
  if (!error && (checking || (seesFleet && (!hosts || !machines))))
    return <PageSkeleton label="Overview" cards={2} rows={4} />;
  return (
    <>
      <PageHeader
        title="Overview"
        subtitle={seesFleet ? 'Current state of the fleet.' : 'What needs attention, and current spend.'}
      />
      {error && (
        <ErrorNotice
          problem={problemOf(error, 'Couldn’t load parts of the overview', () => {
            void nodes.refetch();
            void teepods.refetch();
            void reports.refetch();
            if (may('kms')) void kms.refetch();
            if (may('kms-contracts')) void contracts.refetch();
            if (may('abuse-reports')) void abuse.refetch();
            if (confirms) void transfers.refetch();
            if (service.error) service.refetch();
            if (approvals.error) void approvals.refetch();
          })}
        />
      )}
      {(seesFleet || approvals.enabled || confirms || may('abuse-reports')) && (
        <Concerns
          concerns={bySeverity([
            ...concernsOf(hosts ?? [], machines ?? []),
            ...concernsOfUnread(teepods.total ?? 0, MAX_HOSTS),
            ...service.concerns,
            ...concernsOfKeys(kms.data ?? [], contracts.data ?? []),
            ...concernsOfApprovals(approvals),
            ...concernsOfTransfers(transfers.total ?? 0),
            // Other hosts may have the room that these lack.
            ...(first === undefined ? concernsOfCapacity(hosts ?? []) : []),
            ...concernsOfReports(abuse.total ?? 0),
          ])}
          complete={!error}
          seesFleet={seesFleet}
          seesOperations={may('instance-events')}
        />
      )}
      {hosts && machines && (
        <Grid>
          <Fleet
            nodes={machines}
            teepods={hosts}
            seesCvms={may('cvms')}
            addsTeepods={refusal(getResource('teepods'), 'create') === undefined}
            every={REFRESH_MS}
            first={first}
          />
          <Capacity parts={capacityOf(hosts)} hosts={hosts} first={first} />
        </Grid>
      )}
      {may('alerts') && may('queue-workers') && (
        <Below>
          <Grid>
            <Alerts every={REFRESH_MS} />
            <Queues every={REFRESH_MS} />
          </Grid>
        </Below>
      )}
      {may('usage') && <Spend />}
      {reports.data && <Reports reports={reports.data} total={reports.total ?? 0} />}
    </>
  );
}
