import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { OperationPayload } from '../activity/operationsTable';

export type ApprovalKind = 'update' | 'replica' | 'rollout';

/** Everything needed to carry out the change without its request. Never holds plaintext secrets. */
export interface ApprovalPayload {
  /** Operation payload of the update, or of each of a rollout's updates. */
  operation?: OperationPayload;
  /** For an update that also resizes: the request, because prices and capacity may differ at the commit. */
  size?: {
    vcpu?: number | undefined;
    memory?: number | undefined;
    disk_size?: number | undefined;
    instance_type?: string | undefined;
  };
  /** For an update that also changes the listing. */
  listed?: boolean;
  replica?: {
    teepod_id: number;
    encrypted_env: string | null;
    name: string | null;
  };
  rollout?: {
    pace: {
      settle_seconds?: number;
      health_timeout_seconds?: number;
      shutdown_timeout?: number;
      allow_force_stop?: boolean;
    };
    /** As PostgreSQL formats them; null for all CVMs of the app. */
    vm_uuids: readonly string[] | null;
  };
}

/**
 * One row per change that waits until the app's contract allows it. Written when a request is answered with status 465,
 * ended when it is committed, superseded or withdrawn (migration 0090_approvals).
 */
export interface ApprovalsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  token_hash: string;
  team_id: number;
  app_id: number;
  cvm_id: number;
  kind: ApprovalKind;
  payload: ColumnType<ApprovalPayload, string, string>;
  revision_id: number;
  base_revision_id: number;
  compose_hash: string;
  /** Devices of the target machines. */
  device_ids: string[];
  requested_by: number | null;
  created_at: Generated<Date>;
  expires_at: Date;
  ended_at: Date | null;
  correlation_id: string | null;
}

export type ApprovalRow = Selectable<ApprovalsTable>;
