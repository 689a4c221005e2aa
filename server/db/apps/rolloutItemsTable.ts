import type { ColumnType, Generated, Selectable } from 'kysely';
import type { RolloutReason } from '../../../console/lib/apps/rolloutReasons';
import type { RolloutEvidence } from '../../domain/apps/rolloutEvidence';

export type RolloutItemState =
  | 'waiting'
  | 'updating'
  | 'checking'
  | 'updated'
  | 'failed'
  | 'reverting'
  | 'reverted'
  | 'skipped';

export interface RolloutContainer {
  name: string;
  state: string;
  status: string;
}

/**
 * One row per CVM of a rollout. Written with the rollout, advanced by the worker that runs it (migration
 * 0009_rollouts).
 */
export interface RolloutItemsTable {
  rollout_id: number;
  /** Order within the rollout, from 1. */
  position: number;
  cvm_id: number;
  state: Generated<RolloutItemState>;
  /** The reason's sentence and detail or, without one, what it is waiting for. */
  message: string | null;
  /** Null in rows of earlier versions (migration 0330_rollout_reasons). */
  reason: RolloutReason | null;
  /** What the host, guest or evidence check reported; null in rows of earlier versions (migration 0332_rollout_details). */
  detail: string | null;
  /** The CVM's revision before the update, to revert to; likewise the next two columns. */
  previous_revision_id: number;
  previous_os_image: string;
  previous_encrypted_env: string | null;
  /** Update operation; null until it starts. */
  operation_id: number | null;
  /** Operation that reverts the update; null if none. */
  revert_operation_id: number | null;
  /** Start of the current uninterrupted healthy period; null while unhealthy. */
  healthy_since: Date | null;
  /** When the health check gives up. */
  check_until: Date | null;
  evidence: ColumnType<RolloutEvidence | null, string | null | undefined, string | null>;
  containers: ColumnType<RolloutContainer[], string | undefined, string>;
  started_at: Date | null;
  finished_at: Date | null;
}

export type RolloutItemRow = Selectable<RolloutItemsTable>;
