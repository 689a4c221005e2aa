import type { NotCancellableCode } from '../../../console/lib/cvms/notCancellable';
import { STEPS } from '../../../console/lib/cvms/steps';
import type { OperationState, OperationType } from '../cvms/cvmStates';
import { isLive } from '../../../console/lib/cvms/allowedActions';

export interface CancelFacts {
  type: OperationType;
  state: OperationState;
  steps: readonly { name: string }[];
  /** The CVM's state when the operation started. */
  previous: { status: string } | null;
  cancel_requested_at: Date | null;
  /** The rollout it is part of. */
  rollout_id: string | null;
}

export type Cancelling =
  /** `now`: nothing has been done, or a deletion removes all of it; `undo`: the worker reverts its work. */
  { possible: true; how: 'now' | 'undo' } | { possible: false; code: NotCancellableCode };

/**
 * Decides whether an operation can be canceled and, if not, why. Decided under the row's lock; the worker checks
 * for a cancellation under the same lock before each step, so both always agree.
 */
export function cancelling(operation: CancelFacts): Cancelling {
  const no = (code: NotCancellableCode) => ({ possible: false, code }) as const;
  const { type, state } = operation;
  const began = (name: string) => operation.steps.some((step) => step.name === name);
  if (!isLive(state)) return no('already_ended');
  if (operation.cancel_requested_at) return no('already_cancelling');
  if (operation.rollout_id) return no('part_of_rollout');
  // A deleted CVM is already gone from lists: it is restored, not recovered by canceling.
  if (type === 'delete') return no('deleting');
  // The drain releases what the move took on the other host.
  if (type === 'move') return no('part_of_drain');
  if (type === 'purge') return no('purging');
  if (state === 'queued' || type === 'deploy') return { possible: true, how: 'now' };
  switch (type) {
    case 'update':
      if (began(STEPS.go_back)) return no('restoring_revision');
      // A disk that has grown can't shrink again.
      return began(STEPS.size) ? no('size_applied') : { possible: true, how: 'undo' };
    case 'resize':
      return began(STEPS.size) ? no('size_applied') : { possible: true, how: 'undo' };
    case 'start':
      return operation.previous?.status === 'running' ? no('was_running') : { possible: true, how: 'undo' };
    case 'restart':
      return no('restarting');
    case 'stop':
      return no('stopping');
    case 'shutdown':
      return no('shutting_down');
  }
}
