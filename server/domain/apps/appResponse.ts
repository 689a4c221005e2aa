import type { App, AppRevision, KmsType } from '../../../generated/api/types.gen';
import type { CallerTeam } from '../core/caller';
import type { ListedCvm } from '../cvms/cvmResponse';
import {
  cvmRef,
  iso,
  revisionRef,
  short,
  userRef,
  workspaceRef,
  type CvmRefFields,
  type RevisionRefFields,
  type UserFields,
} from '../core/references';

export interface AppFields {
  app: { public_id: string; name: string; app_id: string; created_at: Date; archived_at: Date | null };
  kms_type: KmsType;
  /** CVMs that are not deleted. */
  cvm_count: number;
  latest_revision_number: number | null;
}

interface SecretChangeFields {
  /** As PostgreSQL writes it in JSON. */
  changed_at: string;
  correlation_id: string;
  reason: string | null;
  creator: UserFields | null;
}

export interface RevisionFields {
  revision: {
    public_id: string;
    number: number;
    compose_hash: string;
    created_at: Date;
    operation_type: string;
    correlation_id: string | null;
    allowed_envs: string[];
    os_image: string | null;
    reason: string | null;
    live_at: Date | null;
    /** Its update waits until the app's contract allows it. */
    awaits_approval: boolean;
    /** Its update was prepared for the app's contract, but never started. Also true while it waits. */
    given_up: boolean;
  };
  /** CVMs that run it and are not deleted. */
  cvm_count: number;
  restores: RevisionRefFields | null;
  secret_changes: SecretChangeFields[];
  creator: UserFields | null;
  /** The CVM whose update created it, else the app's first. */
  cvm: Omit<CvmRefFields, 'app_id'>;
}

/** Returns an app. @param cvms newest first; may be fewer than `cvm_count` */
export function toApp({ app, kms_type, cvm_count, latest_revision_number }: AppFields, cvms: ListedCvm[]) {
  return {
    id: app.public_id,
    name: app.name,
    app_id: app.app_id,
    created_at: app.created_at.toISOString(),
    kms_type,
    app_provision_type: null,
    app_icon_url: null,
    profile: null,
    // Published clients hide an app whose current CVM has no UUID.
    current_cvm: cvms.find((cvm) => cvm.status === 'running') ?? cvms[0] ?? null,
    cvms,
    cvm_count,
    latest_revision_number,
    archived_at: iso(app.archived_at),
  } satisfies App;
}

function stateOf({ cvm_count, revision }: RevisionFields): AppRevision['state'] {
  if (cvm_count > 0) return 'live';
  if (revision.awaits_approval) return 'awaiting_approval';
  if (revision.live_at !== null) return 'superseded';
  // A draft never ran: its update is in progress, failed or was canceled.
  return revision.given_up ? 'withdrawn' : 'draft';
}

export function toRevision(row: RevisionFields, app_id: string, team: CallerTeam | null): AppRevision {
  const { revision, cvm } = row;
  return {
    revision_id: revision.public_id,
    revision_number: revision.number,
    app_id,
    vm_uuid: cvm.vm_uuid,
    compose_hash: revision.compose_hash,
    created_at: revision.created_at.toISOString(),
    operation_type: revision.operation_type,
    trace_id: revision.correlation_id,
    state: stateOf(row),
    allowed_envs: revision.allowed_envs,
    os_image: revision.os_image,
    reason: short(revision.reason, 2000),
    live_at: iso(revision.live_at),
    cvm_count: row.cvm_count,
    restores: row.restores && revisionRef(row.restores),
    secret_changes: row.secret_changes.map(({ changed_at, correlation_id, reason, creator }) => ({
      changed_at: new Date(changed_at).toISOString(),
      correlation_id,
      reason: short(reason, 2000),
      triggered_by: userRef(creator),
    })),
    triggered_by: userRef(row.creator),
    cvm: cvmRef({ ...cvm, app_id }),
    workspace: workspaceRef(team),
  };
}
