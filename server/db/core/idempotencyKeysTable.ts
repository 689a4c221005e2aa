import type { ColumnType, Generated } from 'kysely';
import type { Json } from './json';

/**
 * One row per Idempotency-Key of a caller, with the stored reply. Written in the transaction of the request,
 * deleted after 24 hours (migration 0001_foundation).
 */
export interface IdempotencyKeysTable {
  /** User or address, and team. */
  scope: string;
  key: string;
  /** Method and path. */
  operation_id: string;
  /** SHA-256 of the request body. */
  request_hash: Buffer;
  /** HTTP status. */
  status: number | null;
  /** The API version whose shape the response has (migration 0042_api_versions). */
  api_version: string;
  response: ColumnType<Json | null, string | null | undefined, string | null>;
  created_at: Generated<Date>;
}
