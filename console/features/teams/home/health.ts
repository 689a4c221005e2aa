import type { AppsSummary, Cvm } from '../../../../generated/api/types.gen';
import type { Tone, Glyph } from '../../../ui/feedback/status';
import { count, counted } from '../../../lib/texts/count';
import { STATUS_FILTERS } from './search';

export interface Health {
  tone: Tone;
  glyph: Glyph;
  word: string;
}

type Counts = Pick<AppsSummary, 'cvm_count' | 'statuses'>;

/** Returns how many CVMs have one of these statuses. */
export const cvmsIn = ({ statuses }: Pick<Counts, 'statuses'>, ...wanted: string[]): number =>
  statuses.reduce((sum, { status, cvm_count }) => sum + (wanted.includes(status) ? cvm_count : 0), 0);

/** Summarizes the CVMs' health in one chip; null without CVMs. */
export function healthOf(summary: Counts): Health | null {
  const broken = cvmsIn(summary, 'error', 'lost');
  const changing = cvmsIn(summary, ...STATUS_FILTERS.changing.statuses);
  const running = cvmsIn(summary, 'running');
  if (broken > 0)
    return {
      tone: 'error',
      glyph: 'cross',
      word: `${counted(broken, ['CVM needs', 'CVMs need'])} attention`,
    };
  if (changing > 0) return { tone: 'progress', glyph: 'spinner', word: `${count(changing)} changing` };
  if (running > 0)
    return {
      tone: 'ok',
      glyph: 'check',
      word: running === summary.cvm_count ? 'All running' : `${count(running)} running`,
    };
  return summary.cvm_count === 0 ? null : { tone: 'neutral', glyph: 'stopped', word: 'All stopped' };
}

/** Counts CVMs per status, with statuses that need attention first. */
export function statusCounts(cvms: readonly Pick<Cvm, 'status'>[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { status } of cvms) counts.set(status, (counts.get(status) ?? 0) + 1);
  const rank = (status: string) =>
    status === 'error' || status === 'lost' ? 0 : status === 'running' ? 2 : status === 'stopped' ? 3 : 1;
  return [...counts].sort(([a], [b]) => rank(a) - rank(b));
}
