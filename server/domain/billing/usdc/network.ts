import type { ChainDefinition } from '../../../../console/lib/kms/chains';

/** A network watched for USDC deposits. */
export interface UsdcNetwork {
  chain: ChainDefinition;
  /** The token's contract, in lower case. */
  token: string;
  /** Blocks until a deposit counts, including its own. */
  confirmations: number;
}
