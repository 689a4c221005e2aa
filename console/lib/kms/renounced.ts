import type { AppContract } from '../../../generated/api/types.gen';
import { bytes32 } from './hex';

/** A contract whose ownership was renounced. */
export interface Renounced {
  network: string;
  /** Returns whether the contract allows a compose hash; null if its events don't show it. */
  allows: (compose_hash: string) => boolean | null;
}

/** Returns a contract's permanent state; null unless its ownership was renounced, or if it can't be read. */
export function renouncedContract(contract: AppContract, network: string): Renounced | null {
  const { policy, compose_hashes, index } = contract;
  if (policy?.renounced !== true) return null;
  return {
    network,
    allows: (compose_hash) => {
      const wanted = bytes32(compose_hash);
      const listed = compose_hashes.find(({ value }) => wanted !== null && bytes32(value) === wanted);
      if (listed) return listed.allowed;
      return index?.complete === true && compose_hashes.length < MAX_LISTED ? false : null;
    },
  };
}

/** The API's maximum number of entries per list. */
export const MAX_LISTED = 200;

/**
 * Returns the effect of the app's contract on a rollback. @param isFinal whether nobody can change it anymore
 * @param allowed whether such a contract allows the revision; null if unknown
 */
export function rollbackEffect(network: string, isFinal: boolean, allowed: boolean | null): string[] {
  if (!isFinal)
    return [
      `If the app’s contract on ${network} doesn’t allow it, it waits on the KMS tab until the owner does.`,
    ];
  if (allowed === true) return [];
  return [
    allowed === false
      ? `The app’s contract on ${network} doesn’t allow this revision’s compose hash and no longer has an owner, so nobody can roll back to it.`
      : `The app’s contract on ${network} no longer has an owner: if it doesn’t allow this revision’s compose hash, the rollback is refused.`,
  ];
}
