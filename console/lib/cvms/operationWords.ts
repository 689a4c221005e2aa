import type { Operation } from '../../../generated/api/types.gen';
import { ownValue } from '../ownValue';
import type { OperationType } from './allowedActions';

interface OperationWords {
  /** The noun: "Shutdown". */
  noun: string;
  /** In progress: "Shutting down". */
  doing: string;
  succeeded: string;
}

/** The only wording of an operation and its results: in events, notifications, emails, toasts and on cards. */
const operationWords: Readonly<Record<OperationType, OperationWords>> = {
  deploy: { noun: 'Deploy', doing: 'Deploying', succeeded: 'Deployed' },
  start: { noun: 'Start', doing: 'Starting', succeeded: 'Started' },
  stop: { noun: 'Stop', doing: 'Stopping', succeeded: 'Stopped' },
  shutdown: { noun: 'Shutdown', doing: 'Shutting down', succeeded: 'Shut down' },
  restart: { noun: 'Restart', doing: 'Restarting', succeeded: 'Restarted' },
  update: { noun: 'Update', doing: 'Updating', succeeded: 'Updated' },
  resize: { noun: 'Resize', doing: 'Resizing', succeeded: 'Resized' },
  delete: { noun: 'Delete', doing: 'Deleting', succeeded: 'Deleted' },
  move: { noun: 'Move', doing: 'Moving', succeeded: 'Moved to another host' },
  purge: { noun: 'Destroy', doing: 'Destroying', succeeded: 'Disk and secrets destroyed' },
};

/** An update that applies an earlier revision again. */
const ROLLBACK: OperationWords = { noun: 'Rollback', doing: 'Rolling back', succeeded: 'Rolled back' };

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

/** An operation's type, or that it is a rollback: "shutdown", "rollback". Sentences of the server name it this way. */
export type OperationName = OperationType | 'rollback';

export const operationName = ({
  type,
  rolls_back,
}: { type: OperationType } & OperationNature): OperationName => (rolls_back === true ? 'rollback' : type);

/** "an update", "a rollback" */
export const withArticle = (name: OperationName): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

/** "Shutting down", "Rolling back" */
export const operationInProgress = (type: OperationType, nature: OperationNature): string =>
  wordsOf(type, nature).doing;

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
