import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { DrainCvmState } from '../../../console/lib/hosts/allowedActions';
import type { TextKey } from '../../../generated/api/types.gen';

export type DrainAction = 'move' | 'stop' | 'leave';

/**
 * One row per CVM of a drain. Written and advanced by the worker that runs the drain (migration 0019_fleet).
 */
export interface DrainCvmsTable {
  id: GeneratedAlways<number>;
  drain_id: number;
  cvm_id: number;
  action: DrainAction;
  state: Generated<DrainCvmState>;
  message: string | null;
  /** The same by ID. */
  message_keys: ColumnType<TextKey[], string | undefined, string>;
  operation_id: number | null;
  /** Destination of a move; null otherwise. */
  to_teepod_id: number | null;
  /** When the team was notified. */
  notified_at: Date | null;
  /** Not retried before: after a failure, or while no host has capacity. */
  look_at: Generated<Date>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  finished_at: Date | null;
}

export type DrainCvmRow = Selectable<DrainCvmsTable>;
