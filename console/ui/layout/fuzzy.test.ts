import { describe, expect, it } from 'vitest';
import { fuzzyMatch, rank } from './fuzzy';

const labels = (query: string, items: string[]) =>
  rank(
    query,
    items.map((label) => ({ label })),
    10,
  ).map((found) => found.item.label);

describe('fuzzyMatch', () => {
  it('matches letters only in order', () => {
    expect(fuzzyMatch('dpl', 'Deploy')?.at).toEqual([0, 2, 3]);
    expect(fuzzyMatch('lpd', 'Deploy')).toBeNull();
  });
  it('requires every word, in any order', () => {
    expect(fuzzyMatch('log web', 'web-frontend · Logs')).not.toBeNull();
    expect(fuzzyMatch('log api', 'web-frontend · Logs')).toBeNull();
  });
  it('finds a match even if preferring word starts would miss it', () => {
    // greedy on the second "b" at a word start would leave no "c"
    expect(fuzzyMatch('abc', 'axbc b')).not.toBeNull();
  });
  it("highlights nothing when lowercasing changes the text's length", () => {
    expect(fuzzyMatch('stan', 'İstanbul')?.at).toEqual([]);
  });
});

describe('rank', () => {
  it('prefers word starts, then the middle of a word, then scattered letters', () => {
    expect(labels('log', ['Analogue', 'lo-fi gateway', 'Logs', 'web · Logs'])).toEqual([
      'Logs',
      'web · Logs',
      'Analogue',
      'lo-fi gateway',
    ]);
  });
  it('keeps the given order without a query, up to the limit', () => {
    expect(labels('', ['b', 'a'])).toEqual(['b', 'a']);
    expect(rank('a', [{ label: 'a1' }, { label: 'a2' }], 1)).toHaveLength(1);
  });
  it('ranks keyword matches below label matches', () => {
    const items = [{ label: 'Tokens', keywords: 'api key secret' }, { label: 'Key management' }];
    expect(rank('key', items, 10).map((found) => found.item.label)).toEqual(['Key management', 'Tokens']);
  });
  it('does not scatter a word over keywords', () => {
    const items = [
      { label: 'Add template', keywords: 'add new create Templates' },
      { label: 'Account settings', keywords: 'profile password security' },
    ];
    expect(rank('atlas', items, 10)).toEqual([]);
    expect(rank('new temp', items, 10).map(({ item }) => item.label)).toEqual(['Add template']);
  });
});
