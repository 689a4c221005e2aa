import { ownValue } from '../ownValue';
import type { OperationType } from './allowedActions';

interface OperationWords {
  /** As on its button. */
  name: string;
  succeeded: string;
  failed: string;
  cancelled: string;
}

/** The one wording of an operation and its results: in events, notifications, mails, toasts and on cards. */
export const operationWords: Readonly<Record<OperationType, OperationWords>> = {
  deploy: {
    name: 'Deploy',
    succeeded: 'Deployed',
    failed: 'Deploy failed',
    cancelled: 'Deploy canceled',
  },
  start: { name: 'Start', succeeded: 'Started', failed: 'Start failed', cancelled: 'Start canceled' },
  stop: { name: 'Stop', succeeded: 'Stopped', failed: 'Stop failed', cancelled: 'Stop canceled' },
  shutdown: {
    name: 'Shut down',
    succeeded: 'Shut down',
    failed: 'Shutdown failed',
    cancelled: 'Shutdown canceled',
  },
  restart: {
    name: 'Restart',
    succeeded: 'Restarted',
    failed: 'Restart failed',
    cancelled: 'Restart canceled',
  },
  update: { name: 'Update', succeeded: 'Updated', failed: 'Update failed', cancelled: 'Update canceled' },
  resize: { name: 'Resize', succeeded: 'Resized', failed: 'Resize failed', cancelled: 'Resize canceled' },
  delete: { name: 'Delete', succeeded: 'Deleted', failed: 'Delete failed', cancelled: 'Delete canceled' },
  move: {
    name: 'Move',
    succeeded: 'Moved to another host',
    failed: 'Move failed',
    cancelled: 'Move canceled',
  },
  purge: {
    name: 'Destroy',
    succeeded: 'Disk and secrets destroyed',
    failed: 'Destroy failed',
    cancelled: 'Destroy canceled',
  },
};

/** @param type any text, such as the first part of an event's kind */
export const wordsOf = (type: string): OperationWords | undefined => ownValue(operationWords, type);
