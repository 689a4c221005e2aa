import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Json } from './schema';

/** A column that a trigger fills. */
type Filled<T> = ColumnType<T, never, never>;
/** Rows are added and never changed. */
type Once<T> = ColumnType<T, T, never>;
type Optional<T> = ColumnType<T | null, T | null | undefined, never>;

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
  on_behalf_of_user_id: Optional<number>;
  /** The team's number; 0 for the platform. */
  chain: Filled<number>;
  seq: Filled<number>;
  prev_hash: Filled<Buffer>;
  hash: Filled<Buffer>;
  actor_id: Filled<string | null>;
  actor_label: Filled<string | null>;
  token_public_id: Filled<string | null>;
  on_behalf_of_id: Filled<string | null>;
}

export interface AuditHeadsTable {
  chain: Filled<number>;
  seq: Filled<number>;
  hash: Filled<Buffer>;
}

export interface AuditTables {
  audit_log: AuditLogTable;
  audit_heads: AuditHeadsTable;
}

export type AuditLogRow = Selectable<AuditLogTable>;
