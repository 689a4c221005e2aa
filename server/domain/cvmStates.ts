export type CvmStatus =
  | 'creating'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'shutting_down'
  | 'stopped'
  | 'restarting'
  | 'updating'
  | 'resizing'
  | 'deleting'
  | 'deleted'
  | 'error';

/** What the person wants of a CVM, whatever it does at the moment. */
export type CvmDesired = 'running' | 'stopped' | 'deleted';

export type OperationType =
  | 'deploy'
  | 'start'
  | 'stop'
  | 'shutdown'
  | 'restart'
  | 'update'
  | 'resize'
  | 'delete'
  /** To another host, where it begins with an empty disk. */
  | 'move'
  /** The end of the recycle bin. */
  | 'purge';

/** At the beginning of a sentence. */
export const operationNames: Readonly<Record<OperationType, string>> = {
  deploy: 'Deployment',
  start: 'Start',
  stop: 'Stop',
  shutdown: 'Shutdown',
  restart: 'Restart',
  update: 'Update',
  resize: 'Resize',
  delete: 'Deletion',
  move: 'Move to another host',
  purge: 'Destruction of disk and secrets',
};

export type OperationState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/**
 * What each operation does to a CVM: the status shown while it runs, the one it ends in, what the person wants of the
 * CVM from then on, the states it may start from, and how long it may take at most.
 */
interface Transition {
  during: CvmStatus;
  target: CvmStatus;
  desired: CvmDesired;
  from: readonly CvmStatus[];
  deadline_seconds: number;
}

const settled: readonly CvmStatus[] = ['running', 'stopped', 'error'];

export const transitions: Readonly<Record<OperationType, Transition>> = {
  deploy: { during: 'creating', target: 'running', desired: 'running', from: [], deadline_seconds: 900 },
  start: {
    during: 'starting',
    target: 'running',
    desired: 'running',
    from: ['stopped', 'error', 'running'],
    deadline_seconds: 600,
  },
  stop: { during: 'stopping', target: 'stopped', desired: 'stopped', from: settled, deadline_seconds: 180 },
  shutdown: {
    during: 'shutting_down',
    target: 'stopped',
    desired: 'stopped',
    from: settled,
    deadline_seconds: 300,
  },
  restart: {
    during: 'restarting',
    target: 'running',
    desired: 'running',
    from: settled,
    deadline_seconds: 600,
  },
  update: { during: 'updating', target: 'running', desired: 'running', from: settled, deadline_seconds: 900 },
  resize: { during: 'resizing', target: 'running', desired: 'running', from: settled, deadline_seconds: 900 },
  delete: { during: 'deleting', target: 'deleted', desired: 'deleted', from: settled, deadline_seconds: 600 },
  move: { during: 'restarting', target: 'running', desired: 'running', from: settled, deadline_seconds: 900 },
  purge: { during: 'deleting', target: 'deleted', desired: 'deleted', from: settled, deadline_seconds: 600 },
};

/** An update or resize of a stopped CVM leaves it stopped: only its next boot sees the change. */
export function outcome(
  type: OperationType,
  before: { desired: CvmDesired },
): { target: CvmStatus; desired: CvmDesired } {
  const { target, desired } = transitions[type];
  if ((type === 'update' || type === 'resize') && before.desired === 'stopped')
    return { target: 'stopped', desired: 'stopped' };
  return { target, desired };
}
