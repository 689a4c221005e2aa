import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { DrainState } from '../../../console/lib/hosts/allowedActions';
import type { TextKey } from '../../../generated/api/types.gen';

/**
 * One row per drain of a teepod. Written by administrators, advanced by the worker that holds the lease
 * (migration 0019_fleet).
 */
export interface DrainsTable {
  id: GeneratedAlways<number>;
  teepod_id: number;
  /** `blocked`: waits for a decision, or until the obstacle is gone. */
  state: Generated<DrainState>;
  /** What happens to movable CVMs. */
  movable: 'move' | 'stop';
  /** What happens to the other CVMs. */
  others: 'stop' | 'leave';
  stop_at: Date;
  reason: string;
  /** Why it is blocked; null otherwise. */
  message: string | null;
  /** The same by ID. */
  message_keys: ColumnType<TextKey[], string | undefined, string>;
  requested_by: number | null;
  cancelled_by: number | null;
  lease_owner: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  finished_at: Date | null;
}

export type DrainRow = Selectable<DrainsTable>;
