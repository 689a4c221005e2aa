import { ownValue } from '../ownValue';
import type { OperationType } from './allowedActions';

interface OperationWords {
  /** As on its button. */
  name: string;
  requested: string;
  succeeded: string;
  failed: string;
  cancelled: string;
}

/** @param noun of what can fail or be canceled: "Shutdown" */
const words = (name: string, noun: string, succeeded: string): OperationWords => ({
  name,
  requested: `${noun} requested`,
  succeeded,
  failed: `${noun} failed`,
  cancelled: `${noun} canceled`,
});

/** The one wording of an operation and its results: in events, notifications, mails, toasts and on cards. */
export const operationWords: Readonly<Record<OperationType, OperationWords>> = {
  deploy: words('Deploy', 'Deploy', 'Deployed'),
  start: words('Start', 'Start', 'Started'),
  stop: words('Stop', 'Stop', 'Stopped'),
  shutdown: words('Shut down', 'Shutdown', 'Shut down'),
  restart: words('Restart', 'Restart', 'Restarted'),
  update: words('Update', 'Update', 'Updated'),
  resize: words('Resize', 'Resize', 'Resized'),
  delete: words('Delete', 'Delete', 'Deleted'),
  move: words('Move', 'Move', 'Moved to another host'),
  purge: words('Destroy', 'Destroy', 'Disk and secrets destroyed'),
};

/** @param type any text, such as the first part of an event's kind */
export const wordsOf = (type: string): OperationWords | undefined => ownValue(operationWords, type);
