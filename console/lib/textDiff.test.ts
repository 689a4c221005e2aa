import { describe, expect, it } from 'vitest';
import { compareLines, countChanges, foldUnchanged, sideBySide } from './textDiff';

const lines = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => change[index + 1] ?? `line ${index + 1}`).join('\n') + '\n';

describe('compareLines', () => {
  it('numbers both sides and finds removed and added lines', () => {
    expect(compareLines('a\nb\nc\n', 'a\nB\nc\nd\n')).toEqual([
      { kind: 'same', before: 1, after: 1, text: 'a' },
      { kind: 'removed', before: 2, text: 'b' },
      { kind: 'added', after: 2, text: 'B' },
      { kind: 'same', before: 3, after: 3, text: 'c' },
      { kind: 'added', after: 4, text: 'd' },
    ]);
  });

  it('shows invisible changes that affect the hash', () => {
    expect(countChanges(compareLines('a\n', 'a\r\n'))).toEqual({ added: 1, removed: 1 });
    expect(countChanges(compareLines('a\n', 'a'))).toEqual({ added: 1, removed: 1 });
    expect(countChanges(compareLines('a', 'a'))).toEqual({ added: 0, removed: 0 });
    expect(compareLines('', '')).toEqual([]);
    expect(countChanges(compareLines('', 'a\n'))).toEqual({ added: 1, removed: 0 });
  });

  it('finishes quickly for two large, unrelated texts', () => {
    const rows = compareLines(lines(9_000), lines(9_000).replaceAll('line', 'other'));
    expect(countChanges(rows)).toEqual({ added: 9_000, removed: 9_000 });
  });
});

describe('sideBySide', () => {
  it('pairs an edited line with its old version and leaves unmatched sides empty', () => {
    const pairs = sideBySide(compareLines('a\nb\nc\n', 'a\nB\nB2\nc\n'));
    expect(pairs.map(({ before, after }) => [before?.text ?? null, after?.text ?? null])).toEqual([
      ['a', 'a'],
      ['b', 'B'],
      [null, 'B2'],
      ['c', 'c'],
    ]);
  });
});

describe('foldUnchanged', () => {
  it('leaves three lines around each change', () => {
    const rows = compareLines(lines(30), lines(30, { 15: 'changed' }));
    const parts = foldUnchanged(rows, ({ kind }) => kind !== 'same');
    expect(parts.map(({ kind, items }) => [kind, items.length])).toEqual([
      ['folded', 11],
      ['shown', 8],
      ['folded', 12],
    ]);
  });

  it('doesn’t fold two lines or a completely changed text', () => {
    expect(foldUnchanged([1, 2], () => false)).toEqual([{ kind: 'shown', items: [1, 2] }]);
    expect(foldUnchanged([1, 2, 3], () => true)).toEqual([{ kind: 'shown', items: [1, 2, 3] }]);
    expect(foldUnchanged([1, 2, 3], () => false)).toEqual([{ kind: 'folded', items: [1, 2, 3] }]);
  });
});
