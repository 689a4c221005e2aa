import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { OperationPayload } from './schema';

/** Tables of rolling updates; the columns' meaning stands in migration 0009_rollouts. */

export type RolloutState = 'queued' | 'running' | 'reverting' | 'succeeded' | 'failed' | 'cancelled';

export type RolloutItemState =
  | 'waiting'
  | 'updating'
  | 'checking'
  | 'updated'
  | 'failed'
  | 'reverting'
  | 'reverted'
  | 'skipped';

export interface RolloutEvidence {
  compose_hash: string | null;
  expected: string;
  matches: boolean | null;
  trust: 'simulated' | 'unknown';
}

export interface RolloutContainer {
  name: string;
  state: string;
  status: string;
}

export interface RolloutsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  app_id: number;
  revision_id: number;
  state: Generated<RolloutState>;
  payload: ColumnType<OperationPayload, string | undefined, string>;
  reason: string | null;
  settle_seconds: number;
  health_timeout_seconds: number;
  error_code: string | null;
  error_message: string | null;
  cancel_mode: 'keep' | 'revert' | null;
  cancel_requested_at: Date | null;
  cancel_requested_by: number | null;
  requested_by: number | null;
  lease_owner: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
  deadline_at: Date;
}

export interface RolloutItemsTable {
  rollout_id: number;
  position: number;
  cvm_id: number;
  state: Generated<RolloutItemState>;
  message: string | null;
  previous_revision_id: number;
  previous_os_image: string;
  previous_encrypted_env: string | null;
  operation_id: number | null;
  revert_operation_id: number | null;
  healthy_since: Date | null;
  check_until: Date | null;
  evidence: ColumnType<RolloutEvidence | null, string | null | undefined, string | null>;
  containers: ColumnType<RolloutContainer[], string | undefined, string>;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface RolloutTables {
  rollouts: RolloutsTable;
  rollout_items: RolloutItemsTable;
}

export type RolloutRow = Selectable<RolloutsTable>;
export type RolloutItemRow = Selectable<RolloutItemsTable>;
