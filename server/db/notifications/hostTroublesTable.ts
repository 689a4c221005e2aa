import type { Generated } from 'kysely';

/**
 * One row per teepod that is not answering. Written by the worker that checks hosts (migration
 * 0013_notifications).
 */
export interface HostTroublesTable {
  teepod_id: number;
  /** When a worker first found it unreachable. */
  since: Generated<Date>;
  /** When the teams were notified; null until then. */
  told_at: Date | null;
}
