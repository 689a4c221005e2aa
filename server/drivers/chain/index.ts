import type { ChainDefinition } from '../../../console/lib/kms/chains';
import type { ChainContract } from '../../domain/kms/chainContract';
import type { BlockMark, ContractEvent } from '../../domain/kms/contractEvents';
import type { ContractFacts } from '../../domain/kms/kmsContract';

export type ChainErrorKind =
  /** the RPC doesn't respond, or not in time */
  | 'unreachable'
  /** it is on another chain */
  | 'wrong_chain'
  /** its response makes no sense */
  | 'bad_reply'
  /** its response is larger than we read */
  | 'too_much';

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

/** A CVM's boot, as a key service describes it to a contract. Hex without 0x; unknown values are zero. */
export interface AppBoot {
  app_id: string;
  compose_hash: string;
  instance_id?: string | undefined;
  device_id?: string | undefined;
  mr_aggregated?: string | undefined;
  mr_system?: string | undefined;
  os_image_hash?: string | undefined;
  tcb_status: string;
  advisory_ids?: readonly string[] | undefined;
}

interface AppVerdict {
  allowed: boolean;
  /** In the contract's wording; empty if it allows the app. */
  reason: string;
  block_number: number;
  block_at: Date;
}

/** A decision that controls the release of keys. */
interface BootVerdict extends AppVerdict {
  /** The gateway that apps may trust; empty if the contract names none. */
  gateway_app_id: string;
}

/** What to read from an app's contract. Hex in any form that `bytes32` accepts. */
export interface AppQuestion {
  app_id: string;
  compose_hashes: readonly string[];
  device_ids: readonly string[];
  /** Boots to try against the KMS contract. */
  boots: readonly AppBoot[];
}

/** An app's contract and its registration, all at one block. Addresses have 0x and are lowercase. */
export interface AppReading {
  /** Whether there is a contract at the app's address. */
  code_present: boolean;
  /** Whether the KMS contract knows the app. */
  registered: boolean;
  owner: string | null;
  pending_owner: string | null;
  /** Its proxy's implementation; null without a proxy. */
  implementation: string | null;
  /** The implementation that the KMS contract gives new apps; null if it names none. */
  kms_implementation: string | null;
  /** Null for contracts without this flag. */
  require_tcb_up_to_date: boolean | null;
  /** Null if it can't be read: the flag has no getter, and its storage slot differs in old contracts. */
  upgrades_disabled: boolean | null;
  /** Sender of the deployment transaction; null if it was deployed differently or the RPC returns no events. */
  deployer: string | null;
  allow_any_device: boolean;
  /** In the order of the question. */
  compose_hashes: readonly boolean[];
  device_ids: readonly boolean[];
  verdicts: readonly { allowed: boolean; reason: string }[];
  block_number: number;
  block_at: Date;
}

/**
 * `pending`: known, but in no block yet; `missing`: unknown, because it was never sent, dropped or replaced by
 * another with its nonce; `unrelated`: it succeeded, but neither called the contract nor made it emit an event;
 * `disputed`: two RPCs disagree about it.
 */
export type TransactionOutcome = 'succeeded' | 'reverted' | 'pending' | 'missing' | 'unrelated' | 'disputed';

/** First block of the contract's events to read, and the block that must still exist. */
export interface EventQuestion {
  from: number;
  expected: BlockMark | null;
  /**
   * Initial number of blocks to request, at least one: fewer than usual if an RPC allowed only fewer before.
   */
  span?: number;
}

export interface EventChunk {
  /**
   * `reorganized`: another block has the number of the expected one. `behind`: the RPC doesn't know a block of the
   * range, or no longer: its URL may lead to several nodes, some of them behind others. Nothing was read in both
   * cases.
   */
  outcome: 'read' | 'reorganized' | 'behind';
  /** In chain order. */
  events: readonly ContractEvent[];
  /** The last block read; null if there was nothing to read. */
  to: BlockMark | null;
  /** The newest block. */
  latest: number;
}

/** An event announced by a WebSocket. It proves nothing, and only triggers a read of the contract. */
export interface EventAnnouncement {
  /** In lower case; one of the requested addresses. */
  address: string;
  block_number: number;
  block_hash: string;
  /** The chain was reorganized without it. */
  removed: boolean;
}

/** First block and recipients of the transfers to read. */
export interface TransferQuestion {
  from: number;
  /** The last block to read. Unset: as many as one read allows. */
  to?: number;
  /** Addresses. */
  recipients: readonly string[];
  /** Smaller transfers are ignored, in the token's smallest unit. */
  least: number;
}

/** A transfer of a token. Hashes and addresses have 0x and are in lower case. */
export interface TokenTransfer {
  block_number: number;
  block_hash: string;
  tx_hash: string;
  log_index: number;
  to: string;
  /** In the token's smallest unit. */
  value: bigint;
}

export interface TransferChunk {
  /** The newest block. */
  latest: number;
  /** The last block read; lower than the first if there was nothing to read. */
  to: number;
  /** Whether enough RPCs answered. Otherwise one alone could hide something. */
  complete: boolean;
  /** `certain`: every queried RPC knows it. */
  transfers: readonly (TokenTransfer & { certain: boolean })[];
  /** Recipients with more transfers in a block than the RPC returns, so theirs are unknown. */
  skipped: readonly string[];
}

/** A transaction without a value. */
export interface Sending {
  /** Null for any account. */
  from: string | null;
  data: string;
}

export interface FeeReading {
  /** Null if the contract refuses the transaction. */
  gas: number | null;
  /** Per unit of gas, in the smallest unit of the chain's currency. */
  gas_price: bigint;
  /** Why the contract refuses it. */
  error: string | null;
}

/**
 * Reads chains; never sends a transaction. Throws ChainError, also if the newest block of an RPC is too old to be
 * the chain's.
 */
export interface ChainDriver {
  /** The networks with this installation's RPCs, whose URLs may contain access keys. */
  readonly chains: readonly ChainDefinition[];
  /**
   * Returns a KMS contract's state at one block. Its lists can't be enumerated: they are assembled from its
   * events, and from the `known` values if an RPC doesn't search far enough back. `complete`: those are all it
   * ever added.
   */
  readKms(
    contract: ChainContract,
    known: {
      os_image_hashes: readonly string[];
      device_ids: readonly string[];
      aggregated_mrs?: readonly string[];
      complete?: boolean;
    },
    signal?: AbortSignal,
  ): Promise<ContractReading>;
  /** Returns which images and devices a KMS contract allows, in the order of the question. */
  readKmsLists(
    contract: ChainContract,
    question: { os_image_hashes: readonly string[]; device_ids: readonly string[] },
    signal?: AbortSignal,
  ): Promise<{ os_images: readonly boolean[]; devices: readonly boolean[] }>;
  /**
   * Returns whether the contract would currently let the KMS give this app its keys: a read-only call at the
   * latest block.
   */
  isAppAllowed(contract: ChainContract, boot: AppBoot, signal?: AbortSignal): Promise<AppVerdict>;
  /**
   * The same for a boot in progress: an app's, or that of another KMS that wants the root keys. If two RPCs are
   * configured, both are queried, and one refusal is enough, as is a disagreement about the gateway; while one is
   * down, the other decides.
   */
  authorizeBoot(
    contract: ChainContract,
    boot: AppBoot & { subject: 'app' | 'kms' },
    signal?: AbortSignal,
  ): Promise<BootVerdict>;
  /**
   * Returns a KMS contract's information for the KMS's clients. If two RPCs are configured, both are queried, and must
   * agree about the gateway; while one is down, the other decides.
   */
  describeKms(
    contract: ChainContract,
    signal?: AbortSignal,
  ): Promise<{ gateway_app_id: string; app_implementation: string | null }>;
  /** Returns an app's policy and registration. @param contract the KMS contract */
  readApp(contract: ChainContract, question: AppQuestion, signal?: AbortSignal): Promise<AppReading>;
  /** Returns the block a contract was deployed in; null without a contract. See `startBlockOf`. */
  startBlock(
    contract: ChainContract,
    signal?: AbortSignal,
  ): Promise<{ block: number; exact: boolean } | null>;
  /** Returns the next events of a contract. */
  readEvents(contract: ChainContract, question: EventQuestion, signal?: AbortSignal): Promise<EventChunk>;
  /** Whether a chain has a WebSocket that announces events. */
  announcesEvents(chain_id: number): boolean;
  /**
   * Waits for announced contract events on a WebSocket, until `signal` aborts. `opened`: announcements start
   * now. Rejects when the connection ends or turns out useless; the next call tries the chain's next WebSocket.
   * @throws {ChainError}
   */
  watchEvents(
    question: { chain_id: number; addresses: readonly string[] },
    listener: { opened: () => void; announced: (announcement: EventAnnouncement) => void },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Returns the IDs of apps deployed through a KMS contract: those of a transaction, or those of the last
   * blocks that allow a compose hash, newest first. Only one RPC is queried, so the result must be verified
   * with `readApp`.
   */
  findApps(
    contract: ChainContract,
    question: { transaction_hash: string } | { compose_hash: string; owner?: string },
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /** Estimates a transaction to a contract; nothing is sent. */
  estimateFee(contract: ChainContract, sending: Sending, signal?: AbortSignal): Promise<FeeReading>;
  /**
   * Returns the outcome of a transaction that should have changed a contract. If two RPCs are configured, both
   * are queried and both must confirm its success, because one alone could say anything. For the rest, one is enough.
   */
  checkTransaction(contract: ChainContract, hash: string, signal?: AbortSignal): Promise<TransactionOutcome>;
  /**
   * Whether the contract at an address accepts a signature of a hash (EIP-1271); false without a contract. If
   * two RPCs are configured, both are queried and must accept it; one refusal is enough.
   */
  acceptsSignature(
    contract: ChainContract,
    signed: { hash: string; signature: string },
    signal?: AbortSignal,
  ): Promise<boolean>;
  /**
   * Returns the next transfers of a token to some addresses. If two RPCs are configured, both are queried: one
   * alone could make up a deposit.
   */
  readTransfers(
    token: ChainContract,
    question: TransferQuestion,
    signal?: AbortSignal,
  ): Promise<TransferChunk>;
  /**
   * Queries every RPC of a chain for the chain it serves and its newest block. `usable`: at least one serves the
   * intended chain and isn't behind.
   */
  checkRpcs(chain_id: number, signal?: AbortSignal): Promise<{ usable: boolean; errors: ChainError[] }>;
}
