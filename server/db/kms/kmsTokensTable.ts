import type { Generated } from 'kysely';

/**
 * The token in the webhook URL of a key service; one per service. Written by administrators, or at startup for the local
 * one (migration 0226_kms_webhooks).
 */
export interface KmsTokensTable {
  kms_id: number;
  token_hash: Buffer;
  token_prefix: string;
  token_last4: string;
  created_at: Generated<Date>;
  /** Last request of the KMS, to the minute. */
  asked_at: Date | null;
}
