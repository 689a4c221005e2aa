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
import { getResource } from '../schema/resources';
import { useSession } from '../session';
import { useApprovals } from '../useApprovals';
import {
  bySeverity,
  concernsOf,
  concernsOfApprovals,
  concernsOfKeys,
  concernsOfReports,
  concernsOfUnread,
} from './attention';
import { combineQueries } from './combineQueries';
import { concernsOfCapacity } from './fleetCapacity';
import { concernsOfTransfers, WAITING_TRANSFERS } from './moneyConcerns';
import { useServiceConcerns } from './useService';

/** The API's maximum page size. Larger fleets show that the sums are partial. */
const MAX_HOSTS = 1000;
const MAX_REPORTS = 5;
const MAX_KEYS = 100;

export const REFRESH_MS = 15_000;

/** Reads what the user's role may see of the overview. */
export function useOverview() {
  const { platform_permissions } = useSession();
  const may = (resource: string) =>
    platform_permissions.includes(getResource(resource).permissions.list ?? 'not listed');
  const options = (enabled: boolean) => ({
    enabled,
    refetchInterval: REFRESH_MS,
    onError: () => undefined,
  });

  const all = { pagination: { page: 1, perPage: MAX_HOSTS }, sort: { field: 'name', order: 'ASC' as const } };
  const nodes = useGetList<AdminNode>('nodes', all, options(may('nodes')));
  const teepods = useGetList<AdminTeepod>('teepods', all, options(may('teepods')));
  const unhealthy = {
    pagination: { page: 1, perPage: MAX_KEYS },
    sort: { field: 'id', order: 'ASC' as const },
    filter: { health: ['alarm', 'unreachable'] },
  };
  const kms = useGetList<AdminKms>('kms', unhealthy, options(may('kms')));
  const contracts = useGetList<AdminKmsContract>('kms-contracts', unhealthy, options(may('kms-contracts')));
  const reports = useGetList<AdminMonitoringEvent>(
    'monitoring-events',
    { pagination: { page: 1, perPage: MAX_REPORTS }, sort: { field: 'received_at', order: 'DESC' } },
    options(may('monitoring-events')),
  );
  // Only their number is shown.
  const newest = { pagination: { page: 1, perPage: 1 }, sort: { field: 'id', order: 'DESC' as const } };
  const abuse = useGetList<AdminAbuseReport>(
    'abuse-reports',
    { ...newest, filter: { state: ['open'] } },
    options(may('abuse-reports')),
  );
  // Other roles may read payments but can't confirm them.
  const confirms = platform_permissions.includes('admin.billing.write');
  const transfers = useGetList<AdminPayment>(
    'payments',
    { ...newest, filter: WAITING_TRANSFERS },
    options(confirms),
  );
  const hosts = teepods.data;
  const machines = nodes.data;
  const service = useServiceConcerns(
    { teepods: hosts ?? [], nodes: machines ?? [] },
    { may, every: REFRESH_MS },
  );
  const approvals = useApprovals(REFRESH_MS);

  const checks = [kms, contracts, abuse, transfers, service, approvals];
  const { error, refetch } = combineQueries([nodes, teepods, reports, ...checks]);
  const seesFleet = may('nodes') && may('teepods');
  /** Undefined if all hosts are loaded. */
  const first = (teepods.total ?? 0) > MAX_HOSTS ? MAX_HOSTS : undefined;
  return {
    may,
    seesFleet,
    seesConcerns: seesFleet || approvals.enabled || confirms || may('abuse-reports'),
    nodes: machines,
    teepods: hosts,
    first,
    reports,
    concerns: bySeverity([
      ...concernsOf(hosts ?? [], machines ?? []),
      ...concernsOfUnread(teepods.total ?? 0, MAX_HOSTS),
      ...service.concerns,
      ...concernsOfKeys(kms.data ?? [], contracts.data ?? []),
      ...concernsOfApprovals(approvals),
      ...concernsOfTransfers(transfers.total ?? 0),
      // Other hosts may have the room that these lack.
      ...(first === undefined ? concernsOfCapacity(hosts ?? []) : []),
      ...concernsOfReports(abuse.total ?? 0),
    ]),
    error,
    refetch,
    // All or nothing: concerns that arrive one by one would push everything below them down.
    isLoading: !error && (combineQueries(checks).isLoading || (seesFleet && (!hosts || !machines))),
  };
}
