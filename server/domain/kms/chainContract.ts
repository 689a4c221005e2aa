/** A contract on a chain, such as a KMS or a token. */
export interface ChainContract {
  chain_id: number;
  /** With 0x; in lower case where it is stored or compared. */
  address: string;
}
