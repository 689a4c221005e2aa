import type { BlockedReason, OperationType } from './allowedActions';

/** The sentence shown where an action is disabled. `live` is the operation in progress, if known. */
export function blockedText(reason: BlockedReason, live?: OperationType): string {
  switch (reason) {
    case 'being_deleted':
      return 'Being deleted.';
    case 'busy':
      return live === undefined
        ? 'Another operation is in progress.'
        : `Another operation is in progress: ${live}.`;
    case 'already_running':
      return 'Already running.';
    case 'not_running':
      return 'It isn’t running.';
    case 'lost':
      return 'Its host doesn’t list its VM.';
  }
}
