import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Json } from '../core/json';

/**
 * One row per event of a team, app or CVM, append-only. Written by operations and jobs (migration
 * 0001_foundation).
 */
export interface EventsTable {
  id: GeneratedAlways<number>;
  team_id: number;
  app_id: number | null;
  cvm_id: number | null;
  operation_id: number | null;
  kind: string;
  severity: Generated<'info' | 'warning' | 'error'>;
  message: string;
  data: ColumnType<Json, string | undefined, string>;
  /** User who requested the operation; set by a trigger. */
  actor_id: number | null;
  /** Deduplication key of an event reported by a host; null for others. */
  host_key: Buffer | null;
  created_at: Generated<Date>;
  /** Request of the current transaction, else the operation's. */
  request_id: Generated<string | null>;
}

export type EventRow = Selectable<EventsTable>;
