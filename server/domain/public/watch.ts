import { compareLines, foldUnchanged, type DiffRow } from '../../../console/lib/textDiff';

/** Days in which an address that wants to watch an app must be confirmed. */
export const WATCH_DAYS = 2;

/** Days in which an address that stopped watching an app is sent no new link. */
export const STOPPED_DAYS = 7;

/** Lines of a diff in a mail, and their length: the explorer has the whole file. */
const MOST_LINES = 80;
const LONGEST_LINE = 160;

const MARKS: Readonly<Record<DiffRow['kind'], string>> = { same: '  ', removed: '- ', added: '+ ' };

/** Returns the changed lines of a Compose file with two lines around each, as in a unified diff. */
export function composeDiff(before: string, after: string): string[] {
  const parts = foldUnchanged(compareLines(before, after), ({ kind }) => kind !== 'same', 2);
  const lines = parts.flatMap((part) =>
    part.kind === 'folded' ? ['…'] : part.items.map(({ kind, text }) => MARKS[kind] + text),
  );
  const shown = lines
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line));
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, `… ${left} more ${left === 1 ? 'line' : 'lines'}`];
}
