import { useMemo } from 'react';
import type { AppContractPolicy } from '../../../../generated/api/types.gen';
import { feeEstimator } from '../../../api/feeEstimator';
import type { ChainDefinition } from '../../../lib/kms/chains';
import { contractCall } from '../../../lib/kms/contractCalls';
import type { EstimateFee } from '../../../lib/wallets/fee';
import { useContract } from './queries';

const ACCEPT = contractCall('acceptOwnership').data;

/** Returns the account whose transaction an app's contract accepts; null if unknown. */
export const senderOf = (
  policy: Pick<AppContractPolicy, 'owner' | 'pending_owner'> | null | undefined,
  data: string,
): string | null => (data === ACCEPT ? policy?.pending_owner : policy?.owner) ?? null;

/** Returns a function that estimates an owner's fee for changes to an app's contract. */
export function useOwnerFee(teamSlug: string, app_id: string, chain: ChainDefinition): EstimateFee {
  const policy = useContract(teamSlug, app_id).data?.policy;
  const [owner, pending_owner] = [policy?.owner ?? null, policy?.pending_owner ?? null];
  return useMemo(
    () => feeEstimator(teamSlug, chain, (data) => senderOf({ owner, pending_owner }, data)),
    [teamSlug, chain, owner, pending_owner],
  );
}
