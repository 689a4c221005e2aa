import type { AppContract, AppContractPolicy } from '../../../generated/api/types.gen';
import { bytes32 } from './words';

/** Whether nobody owns a contract or is offered it, so that nothing it allows or refuses ever changes again. */
export const isRenounced = ({ owner, pending_owner }: Pick<AppContractPolicy, 'owner' | 'pending_owner'>) =>
  owner === null && pending_owner === null;

/** A contract whose ownership was renounced. */
export interface Renounced {
  network: string;
  /** Returns whether the contract allows a compose hash; null where its events don't tell. */
  allows: (compose_hash: string) => boolean | null;
}

/** Returns what holds for good about a contract; null if it has an owner or can't be read. */
export function renouncedContract(contract: AppContract, network: string): Renounced | null {
  const { policy, compose_hashes, index } = contract;
  if (policy === null || !isRenounced(policy)) return null;
  return {
    network,
    allows: (compose_hash) => {
      const wanted = bytes32(compose_hash);
      const listed = compose_hashes.find(({ value }) => wanted !== null && bytes32(value) === wanted);
      if (listed) return listed.allowed;
      return index?.complete === true && compose_hashes.length < MOST_LISTED ? false : null;
    },
  };
}

/** The API's maximum number of entries per list. */
export const MOST_LISTED = 200;
