import type { Rollout, RolloutItem } from '../../../generated/api/types.gen';
import {
  rolloutNotCancellableText,
  type RolloutNotCancellableCode,
} from '../../../console/lib/cvms/notCancellable';
import { rolloutActions } from '../../../console/lib/apps/allowedActions';
import { hasDetail, reasonIn } from '../../../console/lib/apps/rolloutReasons';
import type { RolloutEvidence } from './rolloutEvidence';
import { operationError } from '../activity/operationResponse';
import {
  cvmRef,
  iso,
  revisionRef,
  short,
  userRef,
  type CvmRefFields,
  type RevisionRefFields,
  type UserFields,
} from '../core/references';

export interface RolloutFields {
  rollout: {
    id: number;
    public_id: string;
    state: Rollout['state'];
    reason: string | null;
    settle_seconds: number;
    health_timeout_seconds: number;
    error_code: string | null;
    error_message: string | null;
    cancel_mode: 'keep' | 'revert' | null;
    cancel_requested_at: Date | null;
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
    deadline_at: Date;
  };
  revision: RevisionRefFields;
  requested_by: UserFields | null;
  cancelled_by: UserFields | null;
  /** May be only the first. */
  items: readonly RolloutItemFields[];
  /** Of all CVMs. `healthy`: the updated ones that were confirmed healthy; see `isUnconfirmed`. */
  counts: { total: number; updated: number; healthy: number };
}

export interface RolloutItemFields {
  cvm: CvmRefFields;
  state: RolloutItem['state'];
  message: string | null;
  reason: string | null;
  detail: string | null;
  previous: RevisionRefFields;
  operation_id: string | null;
  revert_operation_id: string | null;
  evidence: RolloutEvidence | null;
  containers: readonly { name: string; state: string; status: string }[];
  started_at: Date | null;
  finished_at: Date | null;
}

export function toRollout(fields: RolloutFields, app_id: string): Rollout {
  const { rollout } = fields;
  const refused = notCancellable(rollout.state);
  return {
    rollout_id: rollout.public_id,
    app_id,
    state: rollout.state,
    revision: revisionRef(fields.revision),
    reason: short(rollout.reason, 500),
    requested_by: userRef(fields.requested_by),
    settle_seconds: rollout.settle_seconds,
    health_timeout_seconds: rollout.health_timeout_seconds,
    items: fields.items.map(toItem),
    ...fields.counts,
    error: rollout.error_code === null ? null : operationError(rollout),
    cancel:
      rollout.cancel_mode === null || rollout.cancel_requested_at === null
        ? null
        : {
            mode: rollout.cancel_mode,
            requested_at: rollout.cancel_requested_at.toISOString(),
            requested_by: userRef(fields.cancelled_by),
          },
    cancellable: refused === null,
    not_cancellable_code: refused,
    not_cancellable_reason: refused && rolloutNotCancellableText(refused, rollout.state),
    created_at: rollout.created_at.toISOString(),
    started_at: iso(rollout.started_at),
    finished_at: iso(rollout.finished_at),
    deadline_at: rollout.deadline_at.toISOString(),
  };
}

/** Returns why a rollout can't be canceled; null if it can. The cancel mode may change until it reverts. */
export function notCancellable(state: Rollout['state']): RolloutNotCancellableCode | null {
  if (rolloutActions.cancel.includes(state)) return null;
  return state === 'reverting' ? 'reverting' : 'already_ended';
}

function toItem(item: RolloutItemFields): RolloutItem {
  const cvm = cvmRef(item.cvm);
  if (!cvm) throw new Error('an item has its CVM');
  const reason = reasonIn(item.state, item.reason);
  return {
    cvm,
    state: item.state,
    message: short(item.message, 2000),
    reason,
    detail: reason !== null && hasDetail(reason) ? short(item.detail, 2000) : null,
    previous_revision: revisionRef(item.previous),
    operation_id: item.operation_id,
    revert_operation_id: item.revert_operation_id,
    evidence: item.evidence && {
      ...item.evidence,
      checked_at: item.evidence.checked_at ?? null,
      detail: short(item.evidence.detail ?? null, 1000),
    },
    containers: item.containers.slice(0, 100).map(({ name, state, status }) => ({
      name: short(name, 256),
      state: short(state, 32),
      status: short(status, 200),
    })),
    started_at: iso(item.started_at),
    finished_at: iso(item.finished_at),
  };
}
