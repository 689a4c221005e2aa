import type { Check, CheckState, Report, ReportState } from '../../lib/attestation/types';
import type { Glyph, Tone } from '../feedback/status';

export interface Look {
  tone: Tone;
  glyph: Glyph;
  word: string;
}

export const STATES: Readonly<Record<ReportState, Look>> = {
  verified: { tone: 'ok', glyph: 'shield', word: 'Verified' },
  'verified with exceptions': {
    tone: 'attention',
    glyph: 'shield-partial',
    word: 'Verified with exceptions',
  },
  'not verified': { tone: 'error', glyph: 'cross', word: 'Not verified' },
  unknown: { tone: 'neutral', glyph: 'question', word: 'Unknown' },
  simulated: { tone: 'simulated', glyph: 'hatch', word: 'Simulated' },
};

/**
 * Returns the appearance of an overall verdict.
 * @param isPast whether it is about saved evidence because the guest doesn't respond: it says nothing about the
 * present, so it is never green
 */
export const verdictLook = ({ state }: Pick<Report, 'state'>, isPast: boolean): Look =>
  isPast && state === 'verified' ? VERIFIED_EARLIER : STATES[state];

const VERIFIED_EARLIER: Look = { tone: 'neutral', glyph: 'shield', word: 'Verified earlier' };

/** The label beside the state of a simulated host's report, unless the state already says it. */
export const sideNoteOf = ({ state, simulated }: Pick<Report, 'state' | 'simulated'>): Look | null =>
  simulated && state !== 'simulated' ? STATES.simulated : null;

const CHECK_LOOKS: Readonly<Record<CheckState, Look>> = {
  passed: { tone: 'ok', glyph: 'check', word: 'Passed' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  warning: { tone: 'attention', glyph: 'warning', word: 'Exception' },
  skipped: { tone: 'neutral', glyph: 'dot', word: 'Skipped' },
};

/** Without hardware nothing is proven, so passed checks are never green. */
export const lookOf = (state: CheckState, simulated: boolean): Look =>
  simulated && state === 'passed'
    ? { tone: 'simulated', glyph: 'hatch', word: 'Passed (simulated)' }
    : CHECK_LOOKS[state];

/** Failed checks first, then missing ones. */
const rank = ({ state, required }: Check): number =>
  state === 'failed' ? 0 : state === 'warning' ? 1 : state === 'skipped' ? (required ? 2 : 4) : 3;

export const byWeight = (checks: readonly Check[]): Check[] => [...checks].sort((a, b) => rank(a) - rank(b));

/** Groups adjacent checks skipped for the same reason into one row, so they don't bury the others. */
export function folded(checks: readonly Check[]): Check[][] {
  const rows: Check[][] = [];
  for (const check of byWeight(checks)) {
    const alike = rows.find(
      ([first]) =>
        check.state === 'skipped' &&
        first?.state === 'skipped' &&
        first.required === check.required &&
        first.detail === check.detail,
    );
    if (alike) alike.push(check);
    else rows.push([check]);
  }
  return rows;
}

const GROUPS: Readonly<Record<Check['group'], string>> = {
  platform: 'Chip and platform',
  quote: 'Quote',
  os: 'Operating system',
  app: 'App',
};
export const groupName = (group: Check['group']): string => GROUPS[group];

/** "20 passed, 1 failed, 3 skipped". */
export function tally(checks: readonly Check[], simulated: boolean): string {
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const parts: [number, string][] = [
    [count('failed'), 'failed'],
    [count('warning'), count('warning') === 1 ? 'exception' : 'exceptions'],
    [count('passed'), simulated ? 'passed (simulated)' : 'passed'],
    [count('skipped'), 'skipped'],
  ];
  return parts
    .filter(([n]) => n > 0)
    .map(([n, word]) => `${n} ${word}`)
    .join(', ');
}
