import { sql, type Generated } from 'kysely';

/** A process whose last heartbeat is older counts as gone. */
export const SILENT_AFTER = sql`interval '30 seconds'`;

/**
 * One row per running server process. Written by its heartbeat, deleted when it stops (migration
 * 0001_foundation).
 */
export interface WorkersTable {
  id: string;
  hostname: string;
  pid: number;
  role: string;
  version: string;
  started_at: Generated<Date>;
  seen_at: Generated<Date>;
  /** Until when it counts as a worker that takes shards of hosts; null if it takes none. */
  hosts_until: Date | null;
  /** Whether it supports a divided events table (migration 0308_divided_events). */
  divides_events: Generated<boolean>;
}
