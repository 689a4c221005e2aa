import { count, counted } from '../../../console/lib/texts/count';
import type { AdminDrain } from '../../../generated/api/types.gen';

type Figures = Pick<
  AdminDrain,
  | 'total_cvms'
  | 'waiting_cvms'
  | 'moved_cvms'
  | 'stopped_cvms'
  | 'already_stopped_cvms'
  | 'blocked_cvms'
  | 'cancelled_cvms'
>;

/** CVMs that the drain has dealt with: moved, stopped, or gone from the host meanwhile. */
export const drained = ({ total_cvms, waiting_cvms, blocked_cvms, cancelled_cvms }: Figures): number =>
  total_cvms - waiting_cvms - blocked_cvms - cancelled_cvms;

/** "3 of 5 CVMs drained: 2 moved, 1 stopped, 1 blocked, 1 to go" */
export function drainText(drain: Figures): string {
  if (drain.total_cvms === 0) return 'No CVMs on this host.';
  const parts = [
    [drain.moved_cvms, 'moved'],
    [drain.stopped_cvms, 'stopped'],
    [drain.already_stopped_cvms, 'already stopped'],
    [drain.blocked_cvms, 'blocked'],
    [drain.waiting_cvms, 'to go'],
    [drain.cancelled_cvms, 'canceled'],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, word]) => `${count(n)} ${word}`);
  return `${count(drained(drain))} of ${counted(drain.total_cvms, ['CVM', 'CVMs'])} drained${said.length === 0 ? '' : `: ${said.join(', ')}`}.`;
}
