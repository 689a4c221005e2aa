import { useQuery } from '@tanstack/react-query';
import type { AdminUserBilling } from '../../../generated/api/types.gen';
import { fetchJson } from '../../http';

/** Returns the funds of the teams a user pays for. Without an ID, sends no request. */
export const useUserBilling = (userId: string | number | undefined) =>
  useQuery({
    queryKey: ['user-billing', String(userId)],
    queryFn: async ({ signal }) =>
      (await fetchJson(`/api/v1/admin/users/${userId}/billing`, { signal })).json as AdminUserBilling,
    retry: false,
    enabled: userId !== undefined,
  });
