import type { AppContractEntry } from '../../../../generated/api/types.gen';
import { bytes32 } from '../../../lib/kms/hex';

/**
 * Returns the compose hashes that a contract allowed before the current one and still allows. Hashes allowed later
 * belong to waiting changes. @param entries newest first
 */
export function olderHashes(entries: readonly AppContractEntry[], present: string): AppContractEntry[] {
  const wanted = bytes32(present);
  const now = entries.findIndex(({ value }) => wanted !== null && bytes32(value) === wanted);
  return now === -1 ? [] : entries.slice(now + 1).filter(({ allowed }) => allowed === true);
}
