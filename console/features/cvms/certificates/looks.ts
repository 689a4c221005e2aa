import type { Check, CheckState, ReportState } from '../../../lib/attestation/types';
import type { Glyph, Tone } from '../../../ui/feedback/status';

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

export const CHECK_LOOKS: Readonly<Record<CheckState, Look>> = {
  passed: { tone: 'ok', glyph: 'check', word: 'Passed' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  warning: { tone: 'attention', glyph: 'warning', word: 'Exception' },
  skipped: { tone: 'neutral', glyph: 'dot', word: 'Not done' },
};

/** Of a CVM without hardware nothing is proved: what adds up there is no green check. */
export const lookOf = (state: CheckState, simulated: boolean): Look =>
  simulated && state === 'passed'
    ? { tone: 'simulated', glyph: 'hatch', word: 'Adds up, simulated' }
    : CHECK_LOOKS[state];

/** What is wrong first, then what is missing. */
const rank = ({ state, required }: Check): number =>
  state === 'failed' ? 0 : state === 'warning' ? 1 : state === 'skipped' ? (required ? 2 : 4) : 3;

export const byWeight = (checks: readonly Check[]): Check[] => [...checks].sort((a, b) => rank(a) - rank(b));

/** Neighbours that were not done for the same reason are told together: twenty rows of one sentence hide the others. */
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

/** "20 passed, 1 failed, 3 not done". */
export function tally(checks: readonly Check[], simulated: boolean): string {
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const parts: [number, string][] = [
    [count('failed'), 'failed'],
    [count('warning'), count('warning') === 1 ? 'exception' : 'exceptions'],
    [count('passed'), simulated ? 'add up in the simulation' : 'passed'],
    [count('skipped'), 'not done'],
  ];
  return parts
    .filter(([n]) => n > 0)
    .map(([n, word]) => `${n} ${word}`)
    .join(', ');
}
