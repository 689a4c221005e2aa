import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { ChangedLine } from '../../../console/lib/public/site';
import { compareLines, foldUnchanged } from '../../../console/lib/textDiff';

/** Days within which an address that wants to watch an app must be confirmed. */
export const WATCH_DAYS = 2;

/** Days during which an address that stopped watching an app is sent no new link. */
export const STOPPED_DAYS = 7;

/** Lines of a diff in an email, and their length. The explorer has the whole file. */
const IN_MAIL = { most: 80, longest: 160, edits: 1_500 };
/** The same on a version's page. Visitors wait for the comparison, so it looks for fewer edits. */
export const ON_PAGE = { most: 400, longest: 240, edits: 400 };

const MARKS: Readonly<Record<ChangedLine['kind'], string>> = {
  same: '  ',
  removed: '- ',
  added: '+ ',
  folded: '',
};

/** Returns the changed lines of a Compose file with two lines around each, and how many more there are. */
export function changedLines(
  before: string,
  after: string,
  { most, longest, edits }: { most: number; longest: number; edits: number },
): { lines: ChangedLine[]; left: number } {
  if (before === after) return { lines: [], left: 0 };
  const parts = foldUnchanged(compareLines(before, after, edits), ({ kind }) => kind !== 'same', 2);
  const lines = parts.flatMap((part): ChangedLine[] =>
    part.kind === 'folded' ? [{ kind: 'folded', text: '…' }] : part.items,
  );
  const shown = lines.slice(0, most).map(({ kind, text }) => ({
    kind,
    text: text.length > longest ? `${cutWhole(text, longest - 1)}…` : text,
  }));
  return { lines: shown, left: lines.length - shown.length };
}

/** Returns the same as text, as in a unified diff. */
export const composeDiff = (before: string, after: string): string[] =>
  asText(changedLines(before, after, IN_MAIL));

export function asText({ lines, left }: { lines: readonly ChangedLine[]; left: number }): string[] {
  const shown = lines.map(({ kind, text }) => MARKS[kind] + text);
  return left === 0 ? shown : [...shown, `… ${left} more ${left === 1 ? 'line' : 'lines'}`];
}
