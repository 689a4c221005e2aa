import type { Cvm } from '../../../../generated/api/types.gen';
import type { Tone, Glyph } from '../../../ui/feedback/status';
import { counted } from '../../../lib/texts/count';

export interface Health {
  tone: Tone;
  glyph: Glyph;
  word: string;
}

const CHANGING = /ing$/;

/** Summarizes the CVMs' health in one chip; null without CVMs. */
export function healthOf(cvms: readonly Pick<Cvm, 'status' | 'desired_status'>[]): Health | null {
  const broken = cvms.filter((cvm) => cvm.status === 'error' || cvm.status === 'lost').length;
  const changing = cvms.filter((cvm) => cvm.status !== 'running' && CHANGING.test(cvm.status)).length;
  const running = cvms.filter((cvm) => cvm.status === 'running').length;
  if (broken > 0)
    return {
      tone: 'error',
      glyph: 'cross',
      word: `${counted(broken, ['CVM needs', 'CVMs need'])} attention`,
    };
  if (changing > 0) return { tone: 'progress', glyph: 'spinner', word: `${changing} changing` };
  if (running > 0)
    return {
      tone: 'ok',
      glyph: 'check',
      word: running === cvms.length ? 'All running' : `${running} running`,
    };
  return cvms.length === 0 ? null : { tone: 'neutral', glyph: 'stopped', word: 'All stopped' };
}

/** Counts CVMs per status, with statuses that need attention first. */
export function statusCounts(cvms: readonly Pick<Cvm, 'status'>[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { status } of cvms) counts.set(status, (counts.get(status) ?? 0) + 1);
  const rank = (status: string) =>
    status === 'error' || status === 'lost' ? 0 : status === 'running' ? 2 : status === 'stopped' ? 3 : 1;
  return [...counts].sort(([a], [b]) => rank(a) - rank(b));
}
