import type { Operation } from '../../../generated/api/types.gen';
import { ownValue } from '../ownValue';
import type { OperationType } from './allowedActions';

interface OperationWords {
  /** The noun: "Shutdown". */
  noun: string;
  succeeded: string;
}

/** The only wording of an operation and its results: in events, notifications, mails, toasts and on cards. */
const operationWords: Readonly<Record<OperationType, OperationWords>> = {
  deploy: { noun: 'Deploy', succeeded: 'Deployed' },
  start: { noun: 'Start', succeeded: 'Started' },
  stop: { noun: 'Stop', succeeded: 'Stopped' },
  shutdown: { noun: 'Shutdown', succeeded: 'Shut down' },
  restart: { noun: 'Restart', succeeded: 'Restarted' },
  update: { noun: 'Update', succeeded: 'Updated' },
  resize: { noun: 'Resize', succeeded: 'Resized' },
  delete: { noun: 'Delete', succeeded: 'Deleted' },
  move: { noun: 'Move', succeeded: 'Moved to another host' },
  purge: { noun: 'Destroy', succeeded: 'Disk and secrets destroyed' },
};

/** An update that applies an earlier revision again. */
const ROLLBACK: OperationWords = { noun: 'Rollback', succeeded: 'Rolled back' };

/** What else an operation does, from its payload or its event's data. */
interface OperationNature {
  /** It starts a CVM returned from the recycle bin: the CVM is back whatever happens next. */
  restores?: unknown;
  /** It is an update that applies an earlier revision again. */
  rolls_back?: unknown;
}

const wordsOf = (type: OperationType, { rolls_back }: OperationNature): OperationWords =>
  rolls_back === true ? ROLLBACK : operationWords[type];

/** Request text for the operation that starts a CVM after its return from the recycle bin. */
export const RESTORE_REQUESTED = 'Restore requested';
export const RESTORED = 'Restored from the recycle bin';
const NOT_STARTED = 'Restored, but not started';

/** "Shutdown", "Rollback" */
export const operationNoun = (type: OperationType, nature: OperationNature = {}): string =>
  wordsOf(type, nature).noun;

/** Returns the heading of an operation: "Update", "Rollback to revision 3". */
export const operationTitle = (
  operation: Pick<Operation, 'type' | 'rolls_back' | 'rolls_back_to'>,
): string => {
  const noun = operationNoun(operation.type, operation);
  const to = operation.rolls_back_to;
  return to === null ? noun : `${noun} to revision ${to.revision_number}`;
};

/** "Shutdown failed", "Shut down", "Rolled back" */
export function operationResult(
  type: OperationType,
  result: 'requested' | 'succeeded' | 'failed' | 'cancelled',
  nature: OperationNature = {},
): string {
  const { noun, succeeded } = wordsOf(type, nature);
  return result === 'succeeded' ? succeeded : `${noun} ${result === 'cancelled' ? 'canceled' : result}`;
}

/** Returns the text for an ended operation, from its event. */
export const endWords = (
  type: OperationType,
  result: 'succeeded' | 'failed',
  nature: OperationNature,
): string => {
  if (nature.restores !== true) return operationResult(type, result, nature);
  return result === 'failed' ? NOT_STARTED : RESTORED;
};

/** Returns the keys that link a toast to the CVM's operation; empty without a VM. */
export const operationKeys = (type: OperationType, vm_uuid: string | null | undefined): string[] =>
  vm_uuid ? [`${type}:${vm_uuid}`] : [];

/** Returns why an operation failed, without the prefixes of host and guest: a headline already precedes it. */
export const failureCause = (message: string): string =>
  message.replace(/^Boot error: /, '').replace(/^failed to start containers: /, '');

/** @param type any text, such as the first part of an event's kind */
export const isOperationType = (type: string): type is OperationType =>
  ownValue(operationWords, type) !== undefined;
