import type { Cvm } from '../../../generated/api/types.gen';

export type Action = 'start' | 'stop' | 'restart' | 'change' | 'delete';

/** Why this cannot be done to it now, in one sentence; undefined when it can. The server has the last word. */
export function actionFault(
  action: Action,
  cvm: Pick<Cvm, 'status' | 'in_progress' | 'operation'>,
): string | undefined {
  if (cvm.status === 'deleting' || cvm.status === 'deleted') return 'It is being deleted.';
  if (cvm.in_progress)
    return action === 'delete' && cvm.operation?.type !== 'delete'
      ? undefined
      : `Wait until the ${cvm.operation?.type ?? 'running change'} has ended.`;
  if (action === 'start') return cvm.status === 'running' ? 'It runs already.' : undefined;
  if (action === 'stop' || action === 'restart')
    return cvm.status === 'stopped' ? 'It is stopped.' : undefined;
  return undefined;
}

/** Whether something of it answers now. */
export const isUp = (cvm: Pick<Cvm, 'status'>): boolean => cvm.status === 'running';

/** What can be said of a log that ended, when it cannot go on for now; null while it may. */
export function logIsOver(cvm: Pick<Cvm, 'status' | 'in_progress'> | undefined): string | null {
  if (!cvm) return null;
  if (cvm.status === 'deleted') return 'The CVM is deleted.';
  if (cvm.in_progress) return null;
  if (cvm.status === 'stopped') return 'The CVM is stopped.';
  return null;
}
