import { useQuery } from '@tanstack/react-query';
import { listApprovalsOptions } from '../../generated/api/@tanstack/react-query.gen';
import type { Approval } from '../../generated/api/types.gen';
import { guardingNetwork } from '../lib/kms/chains';
import { inTeam } from './client';

/** The change that waits for the app's contract and that another one of its kind would replace; null if there is none. */
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

/** Whether a new change takes a waiting one's place. @param cvm_id of the changed CVM; null for any of the app's */
export const wouldReplace = (
  { kind, cvm }: Pick<Approval, 'kind' | 'cvm'>,
  by: { kind: Approval['kind']; cvm_id: string | null },
): boolean => kind === by.kind && (by.cvm_id === null || cvm?.id === by.cvm_id);

/** Says what becomes of a change that waits, before another one replaces it. */
export const replacedText = ({
  kind,
  revision: { revision_number: number },
}: Pick<Approval, 'kind' | 'revision'>): string =>
  `${REPLACED[kind]} revision ${number}, which waits for the app’s contract: that one can’t be committed anymore. If the owner is about to allow it on the contract, tell them first.`;

const REPLACED: Readonly<Record<Approval['kind'], string>> = {
  update: 'This replaces the update to',
  rollout: 'This replaces the rollout of',
  replica: 'This replaces the new CVM with',
};
