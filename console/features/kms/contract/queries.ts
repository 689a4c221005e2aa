import { useQuery } from '@tanstack/react-query';
import {
  getAppContractOptions,
  listAppCvmsOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import { checkAppCvmsIsAllowed, checkCvmIsAllowed } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { approvalsOptions } from '../../cvms/approvals';
import type { EntryUsage } from './entryChange';

/** Blocks come every few seconds, and others may change the contract. */
const REFRESH_MS = 15_000;

/** Queries that read an app's contract. */
export const READ_FROM_CONTRACT = [
  'getAppContract',
  'listApprovals',
  'checkCvmIsAllowed',
  'checkAppCvmsIsAllowed',
] as const;

export const useContract = (teamSlug: string, app_id: string) =>
  useQuery({
    ...getAppContractOptions({ ...inTeam(teamSlug), path: { app_id } }),
    refetchInterval: REFRESH_MS,
  });

/** Changes to the app that await approval by its contract. */
export const useApprovals = (teamSlug: string, app_id: string) =>
  useQuery({
    ...approvalsOptions(teamSlug, app_id),
    refetchInterval: REFRESH_MS,
  });

/** Whether the KMS would give this CVM its keys if it booted now. */
export const useIsAllowed = (teamSlug: string, cvm_id: string) =>
  useQuery({
    queryKey: [{ _id: 'checkCvmIsAllowed', teamSlug, cvm_id }],
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
    // Not cached: the answer is about this moment, so another visit asks again.
    gcTime: 0,
  });

/** The app's CVMs with their boot configuration. @param enabled loads only for a dialog that names them */
export function useEntryUsage(teamSlug: string, app_id: string, enabled: boolean): EntryUsage {
  const cvms = useQuery({ ...listAppCvmsOptions({ ...inTeam(teamSlug), path: { app_id } }), enabled });
  // The device IDs of their hosts.
  const verdicts = useQuery({
    queryKey: [{ _id: 'checkAppCvmsIsAllowed', teamSlug, app_id }],
    queryFn: async ({ signal }) => {
      const { data } = await checkAppCvmsIsAllowed({
        ...inTeam(teamSlug),
        path: { app_id },
        body: {},
        signal,
        throwOnError: true,
      });
      return data.results;
    },
    staleTime: 0,
    enabled,
  });
  const devices = new Map(verdicts.data?.map(({ cvm_id, device_id }) => [cvm_id, device_id]));
  const retry = () => void Promise.all([cvms.refetch(), verdicts.refetch()]);
  return {
    cvms:
      verdicts.data &&
      cvms.data?.map(({ id, name, compose_hash }) => ({
        name,
        compose_hash,
        device_id: devices.get(id) ?? null,
      })),
    problem: problemOf(cvms.error ?? verdicts.error, 'Couldn’t load the CVMs that use it', retry),
  };
}
