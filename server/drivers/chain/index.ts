import type { ChainDefinition } from '../../../console/lib/kms/chains';
import type { ContractFacts } from '../../domain/kms/kmsContract';

export type ChainErrorKind =
  /** the RPC doesn't respond, or not in time */
  | 'unreachable'
  /** it is on another chain */
  | 'wrong_chain'
  /** its response makes no sense */
  | 'bad_reply';

/** A chain couldn't be read. `message` is a sentence for an administrator and never contains the RPC's path or key. */
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

interface ContractReading {
  facts: ContractFacts;
  block_number: number;
  block_at: Date;
}

/** What a CVM boots with, as a key service describes it to a contract. Hex without 0x; unknown values are zero. */
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

interface AppVerdict {
  allowed: boolean;
  /** In the contract's own words; empty if it allows the app. */
  reason: string;
  block_number: number;
  block_at: Date;
}

/** What to read of an app's contract. Hex in any form that `bytes32` takes. */
export interface AppQuestion {
  app_id: string;
  compose_hashes: readonly string[];
  device_ids: readonly string[];
  /** Boots to try against the KMS contract. */
  boots: readonly AppBoot[];
}

/** An app's contract and its registration, all at one block. Addresses have 0x and are lowercase. */
export interface AppReading {
  /** There is a contract at the app's address. */
  code_present: boolean;
  /** The KMS contract knows the app. */
  registered: boolean;
  owner: string | null;
  /** Who sent the transaction that deployed it; null if it came from elsewhere or the RPC offers no events. */
  deployer: string | null;
  allow_any_device: boolean;
  /** In the order of the question. */
  compose_hashes: readonly boolean[];
  device_ids: readonly boolean[];
  verdicts: readonly { allowed: boolean; reason: string }[];
  block_number: number;
  block_at: Date;
}

/** Reads chains; never sends a transaction. Throws ChainError. */
export interface ChainDriver {
  /** The networks with this installation's RPCs, whose URLs may contain access keys. */
  readonly chains: readonly ChainDefinition[];
  /**
   * Returns a KMS contract's state at one block. Its lists can't be enumerated: they are assembled from its events,
   * and from what is `known` here if an RPC offers no events.
   */
  readKms(
    contract: { chain_id: number; address: string },
    known: { os_image_hashes: readonly string[]; device_ids: readonly string[] },
    signal?: AbortSignal,
  ): Promise<ContractReading>;
  /**
   * Returns whether the contract would let the KMS give this app its keys: a call at the latest block, which changes
   * nothing.
   */
  isAppAllowed(
    contract: { chain_id: number; address: string },
    boot: AppBoot,
    signal?: AbortSignal,
  ): Promise<AppVerdict>;
  /** Returns an app's policy and registration. @param contract the KMS contract */
  readApp(
    contract: { chain_id: number; address: string },
    question: AppQuestion,
    signal?: AbortSignal,
  ): Promise<AppReading>;
  /** Asks every RPC of a chain which chain it serves. `usable`: at least one serves the intended chain. */
  checkRpcs(chain_id: number, signal?: AbortSignal): Promise<{ usable: boolean; errors: ChainError[] }>;
}
