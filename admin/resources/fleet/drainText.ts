import type { DrainFigures } from '../../../console/lib/hosts/drainFigures';
import { count, counted } from '../../../console/lib/texts/count';

type Figure = keyof DrainFigures;

/** Words for each number of CVMs, in this order. A number in the document without words fails to compile. */
const WORDS: Readonly<Record<Exclude<Figure, 'total_cvms'>, string>> = {
  moved_cvms: 'moved',
  stopped_cvms: 'stopped',
  already_stopped_cvms: 'already stopped',
  blocked_cvms: 'blocked',
  waiting_cvms: 'to go',
  cancelled_cvms: 'canceled',
};

/** CVMs the drain has finished: moved, stopped, or gone from the host. */
export const drained = ({ total_cvms, waiting_cvms, blocked_cvms, cancelled_cvms }: DrainFigures): number =>
  total_cvms - waiting_cvms - blocked_cvms - cancelled_cvms;

/** "3 of 5 CVMs drained: 2 moved, 1 stopped, 1 blocked, 1 to go" */
export function drainText(drain: DrainFigures): string {
  if (drain.total_cvms === 0) return 'No CVMs on this host.';
  const parts = Object.entries(WORDS).map(
    ([figure, word]) => [drain[figure as keyof typeof WORDS], word] as const,
  );
  const said = parts.filter(([n]) => n > 0).map(([n, word]) => `${count(n)} ${word}`);
  return `${count(drained(drain))} of ${counted(drain.total_cvms, ['CVM', 'CVMs'])} drained${said.length === 0 ? '' : `: ${said.join(', ')}`}.`;
}
