import {
  keptDays,
  RETENTION,
  type LimitedKind,
  type TeamKind,
} from '../../../console/lib/activity/retention';
import { count } from '../../../console/lib/texts/count';
import { utcDay } from '../core/dates';

const lower = (what: string): string => (what.startsWith('AI') ? what : what.toLowerCase());

const WHERE = 'Export what you need in the team’s settings.';

/** @param from when the first of them are deleted; null if older ones have been deleted before */
export function expiryTexts(kind: TeamKind, from: Date | null): { title: string; message: string } {
  const { what, days } = RETENTION[kind];
  const then =
    from === null ? 'Older ones continue to be deleted.' : `Older ones are deleted starting ${utcDay(from)}.`;
  return {
    title: `Old ${lower(what)} will be deleted`,
    message: `${what} are kept for ${keptDays(days)}. ${then} ${WHERE}`,
  };
}

export function limitTexts(kind: LimitedKind): { title: string; message: string } {
  const { what, newest } = RETENTION[kind];
  return {
    title: `${what} are close to their limit`,
    message: `Each ${newest.of} keeps its newest ${count(newest.count)} ${lower(what)}. One of the team’s ${newest.of}s is close to that limit; its oldest ${lower(what)} are deleted as new ones arrive. ${WHERE}`,
  };
}
