/**
 * Operations allowed in each CVM status. The server enforces this table, and pages explain it. Texts belong to
 * the pages.
 */

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
  | 'error'
  /** The host responds but no longer lists the VM. */
  | 'lost';

export type OperationType =
  | 'deploy'
  | 'start'
  | 'stop'
  | 'shutdown'
  | 'restart'
  | 'update'
  | 'resize'
  | 'delete'
  /** To another host, where it starts with an empty disk. */
  | 'move'
  /** The end of the recycle bin period. */
  | 'purge';

export type OperationState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Statuses in which the VM is on its host and no operation is in progress. */
const CHANGEABLE: readonly CvmStatus[] = ['running', 'stopped', 'error'];

/** Statuses in which no operation is in progress. */
const SETTLED: readonly CvmStatus[] = [...CHANGEABLE, 'lost'];

export const isSettled = (status: string): boolean => SETTLED.some((one) => one === status);

/** States of an operation that hasn't ended; a CVM has at most one. */
export const LIVE_OPERATION: readonly OperationState[] = ['queued', 'running'];

export const isLive = (state: OperationState | undefined): boolean =>
  state !== undefined && LIVE_OPERATION.includes(state);

interface Rule {
  /** Statuses in which the server starts the operation; it returns WRONG_STATE in all others. */
  from: readonly CvmStatus[];
  /**
   * Settled statuses in which it would change nothing, with the reason. The API accepts it there; pages don't
   * offer it.
   */
  idle?: Partial<Record<CvmStatus, 'already_running' | 'not_running'>>;
}

export const allowedActions: Readonly<Record<OperationType, Rule>> = {
  deploy: { from: [] },
  start: { from: ['stopped', 'error', 'running'], idle: { running: 'already_running' } },
  stop: { from: CHANGEABLE, idle: { stopped: 'not_running' } },
  shutdown: { from: CHANGEABLE, idle: { stopped: 'not_running' } },
  restart: { from: ['stopped', 'error', 'running'], idle: { stopped: 'not_running' } },
  update: { from: CHANGEABLE },
  resize: { from: CHANGEABLE },
  delete: { from: SETTLED },
  move: { from: CHANGEABLE },
  purge: { from: CHANGEABLE },
};

export type BlockedReason = 'being_deleted' | 'busy' | 'already_running' | 'not_running' | 'lost';

/** Whether a lost CVM can be given up, to start with an empty disk; the server's rule too. */
export const canGiveUp = ({ status, in_progress }: { status: CvmStatus; in_progress: boolean }): boolean =>
  status === 'lost' && !in_progress;

/**
 * Returns why a page doesn't offer the operation now; undefined if it does. Deleting first cancels any other
 * operation, so it is blocked only while a deletion is in progress.
 */
export function blockedReason(
  type: OperationType,
  cvm: { status: CvmStatus; in_progress: boolean; operation?: { type: OperationType } | null },
): BlockedReason | undefined {
  if (cvm.status === 'deleting' || cvm.status === 'deleted') return 'being_deleted';
  if (type === 'delete')
    return cvm.operation?.type === 'delete' && cvm.in_progress ? 'being_deleted' : undefined;
  if (cvm.in_progress) return 'busy';
  if (cvm.status === 'lost') return 'lost';
  const { from, idle } = allowedActions[type];
  return idle?.[cvm.status] ?? (from.includes(cvm.status) ? undefined : 'busy');
}
