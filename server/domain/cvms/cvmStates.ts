import type { CvmStatus, OperationState, OperationType } from '../../../console/lib/cvms/allowedActions';

export type { CvmStatus, OperationState, OperationType };

/** The CVM state the user wants, regardless of its current one. */
export type CvmDesired = 'running' | 'stopped' | 'deleted';

/**
 * Each operation's effect on a CVM: the status while it runs, the final status, the desired state from then
 * on, and the time limit.
 */
interface Transition {
  during: CvmStatus;
  target: CvmStatus;
  desired: CvmDesired;
  deadline_seconds: number;
}

export const transitions: Readonly<Record<OperationType, Transition>> = {
  deploy: { during: 'creating', target: 'running', desired: 'running', deadline_seconds: 900 },
  start: {
    during: 'starting',
    target: 'running',
    desired: 'running',
    deadline_seconds: 600,
  },
  stop: { during: 'stopping', target: 'stopped', desired: 'stopped', deadline_seconds: 180 },
  shutdown: {
    during: 'shutting_down',
    target: 'stopped',
    desired: 'stopped',
    deadline_seconds: 300,
  },
  restart: {
    during: 'restarting',
    target: 'running',
    desired: 'running',
    deadline_seconds: 600,
  },
  update: { during: 'updating', target: 'running', desired: 'running', deadline_seconds: 900 },
  resize: { during: 'resizing', target: 'running', desired: 'running', deadline_seconds: 900 },
  delete: { during: 'deleting', target: 'deleted', desired: 'deleted', deadline_seconds: 600 },
  move: { during: 'restarting', target: 'running', desired: 'running', deadline_seconds: 900 },
  purge: { during: 'deleting', target: 'deleted', desired: 'deleted', deadline_seconds: 600 },
};

/** An update or resize of a stopped CVM leaves it stopped: it applies at the next boot. */
export function outcome(
  type: OperationType,
  before: { desired: CvmDesired },
): { target: CvmStatus; desired: CvmDesired } {
  const { target, desired } = transitions[type];
  if ((type === 'update' || type === 'resize') && before.desired === 'stopped')
    return { target: 'stopped', desired: 'stopped' };
  return { target, desired };
}
