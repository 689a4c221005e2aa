import { problemCodes, problems, type ProblemCode } from '../../../generated/api/permissions.gen';
import type { Operation, OperationError, TextKey } from '../../../generated/api/types.gen';
import { notCancellableText } from '../../../console/lib/cvms/notCancellable';
import { stepIdOf } from '../../../console/lib/cvms/steps';
import { cancelling } from './cancelling';
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
import { textKeys } from '../core/textKeys';

export interface OperationFields {
  operation: {
    id: number;
    correlation_id: string;
    type: Operation['type'];
    state: Operation['state'];
    target: string;
    steps: readonly {
      name: string;
      state: 'running' | 'done' | 'failed';
      started_at: string;
      finished_at?: string;
      detail?: string;
      detail_keys?: TextKey[];
    }[];
    error_code: string | null;
    error_message: string | null;
    error_keys: TextKey[];
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
    deadline_at: Date;
    cancel_requested_at: Date | null;
    previous: { status: string } | null;
    reason: string | null;
    rollout_id: string | null;
    rolls_back: boolean;
  };
  cvm: CvmRefFields;
  requested_by: UserFields | null;
  cancelled_by: UserFields | null;
  /** Revision an update deploys. */
  revision: RevisionRefFields | null;
  /** The earlier revision that a rollback applies again. */
  rolls_back_to: RevisionRefFields | null;
}

export function toOperation(fields: OperationFields): Operation {
  const { operation, cvm, requested_by, cancelled_by, revision, rolls_back_to } = fields;
  const decision = cancelling(operation);
  return {
    correlation_id: operation.correlation_id,
    type: operation.type,
    state: operation.state,
    target: operation.target as Operation['target'],
    cvm: cvmRef(cvm),
    requested_by: userRef(requested_by),
    reason: short(operation.reason, 500),
    revision: revision && revisionRef(revision),
    rollout_id: operation.rollout_id,
    rolls_back: operation.rolls_back,
    rolls_back_to: rolls_back_to && revisionRef(rolls_back_to),
    steps: operation.steps.slice(-100).map((step) => ({
      id: stepIdOf(step.name),
      name: step.name,
      state: step.state,
      detail: short(step.detail ?? null, 2000),
      detail_keys: textKeys(step.detail_keys),
      started_at: step.started_at,
      finished_at: step.finished_at ?? null,
    })),
    error: operation.state === 'failed' ? operationError(operation) : null,
    cancellable: decision.possible,
    not_cancellable_code: decision.possible ? null : decision.code,
    not_cancellable_reason: decision.possible ? null : notCancellableText(decision.code, operation),
    cancel_requested_at: iso(operation.cancel_requested_at),
    cancelled_by: userRef(cancelled_by),
    created_at: operation.created_at.toISOString(),
    started_at: iso(operation.started_at),
    finished_at: iso(operation.finished_at),
    deadline_at: operation.deadline_at.toISOString(),
  };
}

/** Returns the code, message and advice for a failed operation, from its row. */
export function operationError({
  error_code,
  error_message,
  error_keys = [],
}: {
  error_code: string | null;
  error_message: string | null;
  error_keys?: TextKey[];
}): OperationError {
  const code: ProblemCode =
    error_code !== null && Object.hasOwn(problems, error_code)
      ? (error_code as ProblemCode)
      : problemCodes.INTERNAL;
  const { title, what_to_do } = problems[code];
  return {
    code,
    message: short(error_message ?? title, 2000),
    message_keys: textKeys(error_keys),
    what_to_do: what_to_do ?? '',
  };
}
