import type { ContractFacts } from '../../domain/kmsContract';

export type ChainErrorKind =
  /** the RPC does not answer, or not in time */
  | 'unreachable'
  /** it answers for another chain */
  | 'wrong_chain'
  /** what it answers makes no sense */
  | 'bad_reply';

/** A chain could not be read. `message` is a sentence for an administrator; it never has the RPC's path or key. */
export class ChainError extends Error {
  constructor(
    readonly kind: ChainErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ChainError';
  }
}

export interface ContractReading {
  facts: ContractFacts;
  block_number: number;
  block_at: Date;
}

/** What a CVM boots with, as a key service tells a contract of it. Hex without 0x; what is not known is zero. */
export interface AppBoot {
  app_id: string;
  compose_hash: string;
  instance_id?: string | undefined;
  device_id?: string | undefined;
  mr_aggregated?: string | undefined;
  mr_system?: string | undefined;
  os_image_hash?: string | undefined;
  tcb_status: string;
}

export interface AppVerdict {
  allowed: boolean;
  /** In the contract's own words; empty when it allows the app. */
  reason: string;
  block_number: number;
  block_at: Date;
}

/** Reads of chains; nothing is ever sent to one. Throws ChainError. */
export interface ChainDriver {
  /**
   * Everything a KMS contract says, all at one block. Its lists cannot be enumerated: they are put together from its
   * events, and from what is `known` here where an RPC gives no events.
   */
  readKms(
    contract: { chain_id: number; address: string },
    known: { os_image_hashes: readonly string[]; device_ids: readonly string[] },
    signal?: AbortSignal,
  ): Promise<ContractReading>;
  /** Whether the contract would let the KMS give this app its keys: a call at the latest block, which changes nothing. */
  isAppAllowed(
    contract: { chain_id: number; address: string },
    boot: AppBoot,
    signal?: AbortSignal,
  ): Promise<AppVerdict>;
}
