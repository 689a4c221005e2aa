import type { OperationSummary } from '../../../generated/api/types.gen';
import type { BlockedReason } from './allowedActions';
import { operationNoun } from './operationWords';

type NamedOperation = Pick<OperationSummary, 'type' | 'rolls_back'>;

/** "update", "rollback" */
const nounOf = (operation: NamedOperation): string => operationNoun(operation.type, operation).toLowerCase();

/** The sentence shown where an action is disabled. `live` is the operation in progress, if known. */
export function blockedText(reason: BlockedReason, live: NamedOperation | null): string {
  switch (reason) {
    case 'being_deleted':
      return 'Being deleted.';
    case 'busy':
      return live === null
        ? 'Another operation is in progress.'
        : `Another operation is in progress: ${nounOf(live)}.`;
    case 'already_running':
      return 'Already running.';
    case 'not_running':
      return 'It isn’t running.';
    case 'lost':
      return 'Its host doesn’t list its VM.';
  }
}

/** The sentence shown where a form waits for the operation in progress. */
export const waitText = (operation: NamedOperation | null | undefined): string =>
  `Wait until the ${operation ? nounOf(operation) : 'current operation'} finishes.`;
