import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { CvmDesired, CvmStatus, OperationState, OperationType } from '../../domain/cvms/cvmStates';
import type { TextKey } from '../../../generated/api/types.gen';

/** Input of an operation beyond the CVM row, kept to resume after a crash. Never holds plaintext secrets. */
export interface OperationPayload {
  /** Revision that goes live once the host has it. */
  revision_id?: number;
  /** New sealed environment, hex. */
  encrypted_env?: string;
  vcpu?: number;
  memory_mb?: number;
  disk_gb?: number;
  os_image?: string;
  instance_type?: string | null;
  hourly_rate_micros?: number;
  disk_rate_micros?: number;
  /** The rates if only the disk changes: a failed update may leave the CVM with the larger disk. */
  grown?: { hourly_rate_micros: number; disk_rate_micros: number };
  public_logs?: boolean;
  public_sysinfo?: boolean;
  public_tcbinfo?: boolean;
  force?: boolean;
  user_config?: string;
  /** Marks the restart of a CVM restored from the recycle bin, which its team sees as the restoration. */
  restores?: boolean;
  /** Marks an update that applies an earlier revision again. */
  rolls_back?: boolean;
  /** For a deletion: stop the CVM and keep it in the recycle bin instead of destroying it. */
  recycle?: boolean;
  /** The host's previous `user_config`, to revert to. */
  previous_user_config?: string;
  /** Seconds a graceful shutdown may take before the VM is forced off. */
  shutdown_timeout?: number;
  /** false: fail rather than force the VM off. */
  allow_force_stop?: boolean;
  /** State to restore if the operation fails. */
  previous?: { status: CvmStatus; desired: CvmDesired };
  /** Reason given by the user who requested it. */
  reason?: string;
  /** For a shutdown: a debt or an exhausted budget stops the CVM. */
  stopped_for?: 'debt' | 'budget';
  /** Public id of the rollout it is part of. */
  rollout_id?: string;
  /** The operation has started, or was about to start, the VM. */
  started_vm?: boolean;
  /** For a move: the destination, and the CVM's IDs on the source host. */
  to_teepod_id?: number;
  from?: { teepod_id: number; host_vm_id: string | null; instance_id: string | null };
}

export interface OperationStep {
  name: string;
  state: 'running' | 'done' | 'failed';
  started_at: string;
  finished_at?: string;
  detail?: string;
  /** The same by ID; absent in steps of earlier versions. */
  detail_keys?: TextKey[];
}

/**
 * One row per change to a CVM. Written with the request, advanced by the worker that holds the lease
 * (migration 0001_foundation).
 */
export interface OperationsTable {
  id: GeneratedAlways<number>;
  correlation_id: string;
  team_id: number;
  cvm_id: number;
  type: OperationType;
  state: Generated<OperationState>;
  /** State the CVM ends in. */
  target: string;
  payload: ColumnType<OperationPayload, string | undefined, string>;
  steps: ColumnType<OperationStep[], string | undefined, string>;
  error_code: string | null;
  error_message: string | null;
  /** The same by ID. */
  error_keys: ColumnType<TextKey[], string | undefined, string>;
  /** User; null when Teehouse started it. */
  requested_by: number | null;
  cancel_requested_at: Date | null;
  cancel_requested_by: number | null;
  lease_owner: string | null;
  lease_until: Date | null;
  /** Times a worker has taken it. */
  attempts: Generated<number>;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
  /** Fails when still running then. */
  deadline_at: Date;
  /** Request that started it; null for operations a worker started. */
  request_id: Generated<string | null>;
  /** Span of that request, in W3C's form; null without tracing (migration 0286_operation_traces). */
  traceparent: Generated<string | null>;
}

export type OperationRow = Selectable<OperationsTable>;

/** With whether it is a rollback, for texts that name it. */
export type NamedOperationRow = OperationRow & { rolls_back: boolean };
