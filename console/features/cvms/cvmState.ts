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

/**
 * When it began to run (ms since 1970), from "2d 3h" as it was at `asked_at`: so that the figure goes on counting
 * between two answers. Null when it does not run.
 */
export function runningSince(uptime: string | null, asked_at: number): number | null {
  if (uptime === null) return null;
  const units: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 };
  let seconds = 0;
  for (const [, count = '0', unit = 's'] of uptime.matchAll(/(\d+)\s*([dhms])/g))
    seconds += Number(count) * (units[unit] ?? 0);
  return asked_at - seconds * 1000;
}
