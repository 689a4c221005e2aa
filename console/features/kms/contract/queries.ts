import { useQuery } from '@tanstack/react-query';
import { getAppContractOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { checkCvmIsAllowed } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import { approvalsOptions } from '../../cvms/approvals';

/** Blocks come every few seconds, and others may change the contract. */
const REFRESH_MS = 15_000;

export const useContract = (teamSlug: string, app_id: string) =>
  useQuery({
    ...getAppContractOptions({ ...inTeam(teamSlug), path: { app_id } }),
    refetchInterval: REFRESH_MS,
  });

/** Changes of the app that wait until its contract allows them. */
export const useApprovals = (teamSlug: string, app_id: string) =>
  useQuery({
    ...approvalsOptions(teamSlug, app_id),
    refetchInterval: REFRESH_MS,
  });

/** Whether the KMS would give this CVM its keys if it booted now. */
export const useIsAllowed = (teamSlug: string, cvm_id: string) =>
  useQuery({
    queryKey: ['checkCvmIsAllowed', teamSlug, cvm_id],
    queryFn: async ({ signal }) => {
      const { data } = await checkCvmIsAllowed({
        ...inTeam(teamSlug),
        path: { cvm_id },
        body: {},
        signal,
        throwOnError: true,
      });
      return data;
    },
    refetchInterval: REFRESH_MS,
  });
