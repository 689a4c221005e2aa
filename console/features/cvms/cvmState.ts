import type { Cvm } from '../../../generated/api/types.gen';
import { blockedReason } from '../../lib/cvms/allowedActions';
import { blockedText } from '../../lib/cvms/blockedText';
import { ownValue } from '../../lib/ownValue';

export type Action = 'start' | 'stop' | 'restart' | 'change' | 'delete';

/** Returns why the action is unavailable, in one sentence; undefined if it isn't. The server decides. */
export function actionFault(
  action: Action,
  cvm: Pick<Cvm, 'status' | 'in_progress' | 'operation'>,
): string | undefined {
  const reason = blockedReason(action === 'change' ? 'update' : action, cvm);
  return reason && blockedText(reason, cvm.operation);
}

/** Whether the CVM can respond now. */
export const isUp = (cvm: Pick<Cvm, 'status'>): boolean => cvm.status === 'running';

/** Whether the last boot failed, so that nothing runs; a CVM can also be in error while running. */
export const failedToBoot = (cvm: Pick<Cvm, 'status' | 'in_progress' | 'uptime'>): boolean =>
  cvm.status === 'error' && !cvm.in_progress && cvm.uptime === null;

/** Returns why an ended log can't resume; null if it may. */
export function logIsOver(cvm: Pick<Cvm, 'status' | 'in_progress' | 'uptime'> | undefined): string | null {
  if (!cvm) return null;
  if (cvm.status === 'deleted') return 'The CVM is deleted.';
  if (cvm.in_progress) return null;
  if (cvm.status === 'stopped') return 'The CVM is stopped.';
  if (cvm.status === 'lost') return 'The CVM is lost: its host doesn’t list its VM.';
  if (failedToBoot(cvm)) return 'The CVM isn’t running.';
  return null;
}

/**
 * Returns the start time in ms since the epoch, from an uptime such as "2d 3h" read at `asked_at`, so the figure
 * keeps counting between responses. Null if not running.
 */
export function runningSince(uptime: string | null, asked_at: number): number | null {
  if (uptime === null) return null;
  const units: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 };
  let seconds = 0;
  for (const [, count = '0', unit = 's'] of uptime.matchAll(/(\d+)\s*([dhms])/g))
    seconds += Number(count) * (ownValue(units, unit) ?? 0);
  return asked_at - seconds * 1000;
}
