import { diffArrays } from 'diff';

/** One line of a comparison: on both sides, taken away, or added. Numbers count from 1 on their own side. */
export type DiffRow =
  | { kind: 'same'; before: number; after: number; text: string }
  | { kind: 'removed'; before: number; text: string }
  | { kind: 'added'; after: number; text: string };

/** Edits beyond which the shortest comparison is not looked for: all of one side is then taken away, all of the other added. */
const MOST_EDITS = 1_500;

/** Lines of two texts compared, byte for byte: also a changed line end or a last line without one is a change. */
export function compareLines(before: string, after: string): DiffRow[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, young, { maxEditLength: MOST_EDITS }) ?? [
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

/** Each line with its end made visible where it is not the usual one. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const ends = lines.at(-1) === '' && lines.pop() === '';
  return lines.map((line, index) => {
    const visible = line.replace(/\r$/, '␍');
    return !ends && index === lines.length - 1 ? `${visible} ⟨no line end⟩` : visible;
  });
}

/** A pair of cells side by side: an edited line stands beside what it was. */
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

/** A stretch that is shown, or one of unchanged lines that is folded away. */
export type DiffPart<T> = { kind: 'shown'; items: T[] } | { kind: 'folded'; items: T[] };

/** Folds unchanged stretches, leaving `context` lines around each change; a fold of one or two lines is not worth it. */
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
