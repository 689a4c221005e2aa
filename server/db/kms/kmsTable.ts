import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * Columns of `kms` with the last health check. Seen keys are the KMS's own claim, and are never treated as
 * pinned.
 */
export interface KmsHealthColumns {
  health: Generated<'unchecked' | 'ok' | 'unpinned' | 'unreachable' | 'alarm'>;
  seen_k256_pubkey: string | null;
  seen_ca_pubkey: string | null;
  notices: Generated<string[]>;
  last_error: string | null;
  checked_at: Date | null;
  answered_at: Date | null;
  /** Attestations it verified and refused since it started; null before the first reading. */
  attestation_requests: number | null;
  attestation_failures: number | null;
  /** When these were read. */
  metrics_at: Date | null;
  /** Why the last reading failed; null if it didn't. */
  metrics_error: string | null;
}

/**
 * Columns of `kms` with its rules for boots without a contract, when it asks this server (migration
 * 0226_kms_webhooks).
 */
export interface KmsRuleColumns {
  tcb_statuses: Generated<string[]>;
  advisory_ids: Generated<string[]>;
  /** KMS instances that may receive its root keys: 64 lowercase hex digits each. */
  aggregated_mrs: Generated<string[]>;
}

/**
 * One row per key management service. Written by administrators, or at startup for the local one; health
 * columns by a worker (migration 0001_foundation).
 */
export interface KmsTable extends KmsHealthColumns, KmsRuleColumns {
  id: GeneratedAlways<number>;
  public_id: string;
  slug: string;
  type: Generated<'phala' | 'ethereum' | 'base' | 'legacy'>;
  url: string;
  version: Generated<string>;
  chain_id: number | null;
  kms_contract_address: string | null;
  gateway_app_id: string | null;
  /** Pinned secp256k1 key that env key signatures must recover to. */
  k256_pubkey: string | null;
  /** Second pinned key, valid beside it until one is retired (migration 0324_offers_and_next_keys). */
  next_k256_pubkey: string | null;
  state: Generated<'active' | 'retiring' | 'retired'>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** Pinned SPKI of the root CA key (DER, hex): the key provider ID that guests measure. */
  ca_pubkey: string | null;
}

export type KmsRow = Selectable<KmsTable>;
