import { describe, expect, it } from 'vitest';
import { likeOfGlob, matchesGlob } from './glob';

/** By definition: `*` matches nothing, or one character and `*` again. */
function matchesByDefinition(text: string, pattern: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*')
    return (
      matchesByDefinition(text, pattern.slice(1)) ||
      (text !== '' && matchesByDefinition(text.slice(1), pattern))
    );
  return text !== '' && text[0] === pattern[0] && matchesByDefinition(text.slice(1), pattern.slice(1));
}

const words = (letters: string, length: number): string[] =>
  length === 0 ? [''] : words(letters, length - 1).flatMap((word) => [...letters].map((one) => word + one));
const upTo = (letters: string, length: number) =>
  Array.from({ length: length + 1 }, (_, n) => words(letters, n)).flat();

describe('a pattern with *', () => {
  it('matches by its definition, for every short text and pattern', () => {
    for (const text of upTo('ab', 4))
      for (const pattern of upTo('ab*', 5))
        expect([text, pattern, matchesGlob(text, pattern)]).toEqual([
          text,
          pattern,
          matchesByDefinition(text, pattern),
        ]);
  });

  it('treats dots and other punctuation literally', () => {
    expect(matchesGlob('update.failed', '*.failed')).toBe(true);
    expect(matchesGlob('updateXfailed', '*.failed')).toBe(false);
    expect(matchesGlob('a+b', 'a+*')).toBe(true);
  });

  it('stays fast for patterns that make a regular expression explode', () => {
    // As a regular expression this would never finish.
    expect(matchesGlob('a'.repeat(10_000), `${'a*'.repeat(500)}b`)).toBe(false);
  });

  it('converts to LIKE with special characters escaped and repeated wildcards collapsed', () => {
    expect(likeOfGlob('a***b_c%d\\*')).toBe('a%b\\_c\\%d\\\\%');
  });
});
