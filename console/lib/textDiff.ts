import { diffArrays } from 'diff';

/** One line of a comparison: on both sides, removed or added. Each side is numbered from 1. */
export type DiffRow =
  | { kind: 'same'; before: number; after: number; text: string }
  | { kind: 'removed'; before: number; text: string }
  | { kind: 'added'; after: number; text: string };

/**
 * Above this many edits, the shortest diff isn't computed: all of one side is removed and all of the other
 * added.
 */
const MAX_EDITS = 1_500;

/**
 * Compares two texts line by line, byte for byte: a changed line ending or missing final newline is a change.
 */
export function compareLines(before: string, after: string, most_edits = MAX_EDITS): DiffRow[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, young, { maxEditLength: most_edits }) ?? [
    { added: false, removed: true, value: old },
    { added: true, removed: false, value: young },
  ];
  const rows: DiffRow[] = [];
  let [left, right] = [0, 0];
  for (const { added, removed, value } of changes)
    for (const text of value) {
      if (removed) rows.push({ kind: 'removed', before: ++left, text });
      else if (added) rows.push({ kind: 'added', after: ++right, text });
      else rows.push({ kind: 'same', before: ++left, after: ++right, text });
    }
  return rows;
}

/** Returns lines with unusual endings made visible. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const ends = lines.at(-1) === '' && lines.pop() === '';
  return lines.map((line, index) => {
    const visible = line.replace(/\r$/, '␍');
    return !ends && index === lines.length - 1 ? `${visible} ⟨no newline⟩` : visible;
  });
}

/** A side-by-side pair: an edited line next to its old version. */
export interface DiffPair {
  before: Extract<DiffRow, { before: number }> | null;
  after: Extract<DiffRow, { after: number }> | null;
}

export function sideBySide(rows: readonly DiffRow[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: Extract<DiffRow, { kind: 'removed' }>[] = [];
  let added: Extract<DiffRow, { kind: 'added' }>[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      pairs.push({ before: removed[index] ?? null, after: added[index] ?? null });
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.kind === 'removed') removed.push(row);
    else if (row.kind === 'added') added.push(row);
    else {
      flush();
      pairs.push({ before: row, after: row });
    }
  }
  flush();
  return pairs;
}

/** A visible section, or a folded section of unchanged lines. */
export type DiffPart<T> = { kind: 'shown'; items: T[] } | { kind: 'folded'; items: T[] };

/**
 * Folds unchanged sections, leaving `context` lines around each change; sections of one or two lines aren't
 * folded.
 */
export function foldUnchanged<T>(
  items: readonly T[],
  isChanged: (item: T) => boolean,
  context = 3,
): DiffPart<T>[] {
  const near = Array.from({ length: items.length }, () => false);
  items.forEach((item, index) => {
    if (isChanged(item))
      near.fill(true, Math.max(0, index - context), Math.min(items.length, index + context + 1));
  });
  const parts: DiffPart<T>[] = [];
  for (let start = 0; start < items.length;) {
    let end = start;
    while (end < items.length && near[end] === near[start]) end++;
    const stretch = items.slice(start, end);
    const kind = near[start] === true || stretch.length <= 2 ? 'shown' : 'folded';
    const last = parts.at(-1);
    if (last?.kind === 'shown' && kind === 'shown') last.items.push(...stretch);
    else parts.push({ kind, items: stretch });
    start = end;
  }
  return parts;
}

export const countChanges = (rows: readonly DiffRow[]): { added: number; removed: number } => ({
  added: rows.filter(({ kind }) => kind === 'added').length,
  removed: rows.filter(({ kind }) => kind === 'removed').length,
});
