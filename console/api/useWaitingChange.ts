import { useQuery } from '@tanstack/react-query';
import { listApprovalsOptions } from '../../generated/api/@tanstack/react-query.gen';
import type { Approval } from '../../generated/api/types.gen';
import { guardingNetwork } from '../lib/kms/chains';
import { inTeam } from './client';

/**
 * Returns the change that waits for the app's contract and would be replaced by a new one of the same kind; null if
 * there is none.
 */
export function useWaitingChange(
  teamSlug: string,
  app_id: string | null,
  cvm: Parameters<typeof guardingNetwork>[0],
  replaced: { kind: Approval['kind']; cvm_id: string | null },
): Approval | null {
  const { data } = useQuery({
    ...listApprovalsOptions({ ...inTeam(teamSlug), path: { app_id: app_id ?? '' } }),
    enabled: guardingNetwork(cvm) !== null && Boolean(app_id),
  });
  return data?.find((one) => wouldReplace(one, replaced)) ?? null;
}

/** Whether a new change replaces a waiting one. @param cvm_id of the changed CVM; null for any of the app's CVMs */
export const wouldReplace = (
  { kind, cvm }: Pick<Approval, 'kind' | 'cvm'>,
  by: { kind: Approval['kind']; cvm_id: string | null },
): boolean => kind === by.kind && (by.cvm_id === null || cvm?.id === by.cvm_id);

/** Says what happens to a waiting change before another one replaces it. */
export const replacedText = ({
  kind,
  revision: { revision_number: number },
}: Pick<Approval, 'kind' | 'revision'>): string =>
  `${REPLACED[kind]} revision ${number}, which is waiting for the app’s contract and can then no longer be committed. If the contract’s owner is about to allow it, tell them first.`;

const REPLACED: Readonly<Record<Approval['kind'], string>> = {
  update: 'This replaces the update to',
  rollout: 'This replaces the rollout of',
  replica: 'This replaces the new CVM with',
};
