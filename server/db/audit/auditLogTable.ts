import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Json } from '../core/json';

/** A column set by a trigger. */
export type Filled<T> = ColumnType<T, never, never>;

/** A column set on insert and never updated. */
type Once<T> = ColumnType<T, T, never>;

type Optional<T> = ColumnType<T | null, T | null | undefined, never>;

/**
 * One row per audited action, append-only. Written by `appendAudit`; a trigger links it to its hash chain
 * (migration 0001_foundation).
 */
export interface AuditLogTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  actor_kind: Once<'user' | 'token' | 'system' | 'cli' | 'anonymous' | 'staff'>;
  actor_user_id: Optional<number>;
  token_id: Optional<number>;
  team_id: Optional<number>;
  action: Once<string>;
  target_kind: Optional<string>;
  target_id: Optional<string>;
  before: ColumnType<Json | null, string | null | undefined, never>;
  after: ColumnType<Json | null, string | null | undefined, never>;
  ip: Optional<string>;
  user_agent: Optional<string>;
  request_id: Optional<string>;
  /** Staff who acted on behalf of the actor. */
  on_behalf_of_user_id: Optional<number>;
  /** Team's internal ID; 0 for the platform. */
  chain: Filled<number>;
  /** Position in the chain, from 1. */
  seq: Filled<number>;
  prev_hash: Filled<Buffer>;
  hash: Filled<Buffer>;
  /** Public ID, hashed with the entry. */
  actor_id: Filled<string | null>;
  /** Username at the time. */
  actor_label: Filled<string | null>;
  token_public_id: Filled<string | null>;
  on_behalf_of_id: Filled<string | null>;
}

export type AuditLogRow = Selectable<AuditLogTable>;
