import type { AppContractEntry } from '../../../../generated/api/types.gen';
import { bytes32 } from '../../../lib/kms/words';

/**
 * Returns the compose hashes that a contract still allows although it allowed the present one later. A hash that it allowed
 * since is of a change that waits. @param entries newest first
 */
export function olderHashes(entries: readonly AppContractEntry[], present: string): AppContractEntry[] {
  const wanted = bytes32(present);
  const now = entries.findIndex(({ value }) => wanted !== null && bytes32(value) === wanted);
  return now === -1 ? [] : entries.slice(now + 1).filter(({ allowed }) => allowed === true);
}
