import type { BlockedReason, OperationType } from './allowedActions';
import { operationNoun } from './operationWords';

/** The sentence shown where an action is disabled. `live` is the operation in progress, if known. */
export function blockedText(reason: BlockedReason, live?: OperationType): string {
  switch (reason) {
    case 'being_deleted':
      return 'Being deleted.';
    case 'busy':
      return live === undefined
        ? 'Another operation is in progress.'
        : `Another operation is in progress: ${operationNoun(live).toLowerCase()}.`;
    case 'already_running':
      return 'Already running.';
    case 'not_running':
      return 'It isn’t running.';
    case 'lost':
      return 'Its host doesn’t list its VM.';
  }
}

/** The sentence shown where a form waits for the operation in progress. */
export const waitText = (operation: { type: OperationType } | null | undefined): string =>
  `Wait until the ${operation ? operationNoun(operation.type).toLowerCase() : 'current operation'} finishes.`;
