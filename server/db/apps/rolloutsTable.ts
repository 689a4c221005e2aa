import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { OperationPayload } from '../activity/operationsTable';

type RolloutState = 'queued' | 'running' | 'reverting' | 'succeeded' | 'failed' | 'cancelled';

/**
 * One row per update of an app's CVMs, one CVM at a time. Written with the request, advanced by the worker
 * that holds the lease (migration 0009_rollouts).
 */
export interface RolloutsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  app_id: number;
  revision_id: number;
  state: Generated<RolloutState>;
  /** Passed to each update operation: ciphertext, image, visibility. */
  payload: ColumnType<OperationPayload, string | undefined, string>;
  reason: string | null;
  settle_seconds: number;
  health_timeout_seconds: number;
  /** Why it was reverted or failed; null otherwise. */
  error_code: string | null;
  error_message: string | null;
  /** Whether canceling keeps or reverts the CVMs already updated; null unless canceled. */
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
  /** Span of the request that started it, for its operations; null without tracing (migration 0286_operation_traces). */
  traceparent: Generated<string | null>;
}

export type RolloutRow = Selectable<RolloutsTable>;
