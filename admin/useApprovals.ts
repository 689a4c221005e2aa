import { useGetList } from 'react-admin';
import type { AdminFinanceAction } from '../generated/api/types.gen';
import { mayWith, useSession } from './session';
import { getResource } from './schema/resources';
import { approvalsQuery } from './approvalsQuery';

/** Returns the finance actions that wait for approval, oldest first; empty for roles that can't read them. */
export function useApprovals(every: number) {
  const { platform_permissions } = useSession();
  const enabled = mayWith(platform_permissions, getResource('finance-actions').permissions.list);
  const options = { enabled, refetchInterval: every, onError: () => undefined };
  const others = useGetList<AdminFinanceAction>('finance-actions', approvalsQuery(false), options);
  const own = useGetList<AdminFinanceAction>('finance-actions', approvalsQuery(true), options);
  return {
    enabled,
    own: own.data ?? [],
    ownTotal: own.total ?? 0,
    others: others.data ?? [],
    othersTotal: others.total ?? 0,
    error: others.error ?? own.error,
    isLoading: others.isLoading || own.isLoading,
    refetch: () => Promise.all([others.refetch(), own.refetch()]),
  };
}
