import { useGetList } from 'react-admin';
import type {
  AdminAiUpstream,
  AdminDrain,
  AdminInstanceEvent,
  AdminMaintenanceWindow,
  AdminNode,
  AdminQueue,
  AdminTeepod,
  AdminWorkspace,
} from '../../generated/api/types.gen';
import {
  concernsOfFailures,
  concernsOfQueues,
  concernsOfService,
  concernsOfUpstreams,
  FAILING_UPSTREAMS,
  failuresSince,
} from './attention';
import { combineQueries } from './combineQueries';
import { concernsOfDebts, IN_DEBT } from './moneyConcerns';

const MAX_ROWS = 50;

/** The server has about ten queues. */
export const ALL_QUEUES = {
  pagination: { page: 1, perPage: 50 },
  sort: { field: 'name', order: 'ASC' as const },
};

const HOUR_MS = 3_600_000;

/** A day ago, rounded to the hour, so that the list's URL stays the same for an hour. */
const dayAgo = () => new Date((Math.floor(Date.now() / HOUR_MS) - 24) * HOUR_MS).toISOString();

interface Options {
  /** Whether this user may read a resource. */
  may: (resource: string) => boolean;
  every: number;
}

/** Returns concerns about operations, drains, maintenance windows, queues, AI upstreams and debts. */
export function useServiceConcerns(
  fleet: { teepods: readonly AdminTeepod[]; nodes: readonly AdminNode[] },
  { may, every }: Options,
) {
  const options = (resource: string) => ({
    refetchInterval: every,
    onError: () => undefined,
    enabled: may(resource),
  });
  const list = (filter: Record<string, unknown>) => ({
    pagination: { page: 1, perPage: MAX_ROWS },
    sort: { field: 'id', order: 'ASC' as const },
    filter,
  });
  const since = dayAgo();
  const drains = useGetList<AdminDrain>('drains', list({ state: 'blocked' }), options('drains'));
  const windows = useGetList<AdminMaintenanceWindow>(
    'maintenance-windows',
    list({ state: 'active' }),
    options('maintenance-windows'),
  );
  const failures = useGetList<AdminInstanceEvent>(
    'instance-events',
    {
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'created_at', order: 'DESC' },
      filter: failuresSince(since),
    },
    options('instance-events'),
  );
  const queues = useGetList<AdminQueue>('queue-workers', ALL_QUEUES, options('queue-workers'));
  const upstreams = useGetList<AdminAiUpstream>(
    'ai-upstreams',
    list(FAILING_UPSTREAMS),
    options('ai-upstreams'),
  );
  const debtors = useGetList<AdminWorkspace>('workspaces', list(IN_DEBT), options('workspaces'));
  return {
    ...combineQueries([drains, windows, failures, queues, upstreams, debtors]),
    concerns: [
      ...concernsOfFailures(failures.total ?? 0, failures.data?.[0], since),
      ...concernsOfService(drains.data ?? [], windows.data ?? [], fleet),
      ...concernsOfQueues(queues.data ?? []),
      ...concernsOfUpstreams(upstreams.data ?? [], upstreams.total ?? 0),
      ...concernsOfDebts(debtors.data ?? [], debtors.total ?? 0),
    ],
  };
}
