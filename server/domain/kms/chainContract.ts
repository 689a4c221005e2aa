/** A contract on a chain, such as a KMS or a token. */
export interface ChainContract {
  chain_id: number;
  /** With 0x; in lower case when stored or compared. */
  address: string;
}

/**
 * Returns a KMS's contract; null if it has none. `incomplete` if only the chain or the address is known, which
 * is no reason to decide without a contract: such a KMS releases no keys.
 */
export function contractOfKms({
  chain_id,
  kms_contract_address,
}: {
  chain_id: number | null;
  kms_contract_address: string | null;
}): ChainContract | 'incomplete' | null {
  if (chain_id === null && kms_contract_address === null) return null;
  if (chain_id === null || kms_contract_address === null) return 'incomplete';
  return { chain_id, address: kms_contract_address.toLowerCase() };
}
