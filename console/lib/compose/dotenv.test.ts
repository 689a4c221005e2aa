import { describe, expect, it } from 'vitest';
import { formatDotenv, parseDotenv } from './dotenv';

const values = (text: string) =>
  Object.fromEntries(parseDotenv(text).pairs.map(({ key, value }) => [key, value]));

describe('parseDotenv', () => {
  it('reads pasted .env text', () => {
    const text = [
      '\ufeff# database',
      '',
      'A=1',
      'export  B = two words  # note',
      "C='single # not a comment \\n $X'",
      'D="line\\nbreak \\"q\\" \\\\ \\$X \\z"',
      'E=',
      'F=#nothing',
      'G=http://x/#frag',
      'H="first',
      '  second # kept',
      'third"  # comment',
      "  I='a",
      "b'",
      'J=a=b==',
      "K=it's",
      'L=`back "tick"`',
      'M=é🔐',
    ].join('\r\n');
    expect(parseDotenv(text).problems).toEqual([]);
    expect(values(text)).toEqual({
      A: '1',
      B: 'two words',
      C: 'single # not a comment \\n $X',
      D: 'line\nbreak "q" \\ $X \\z',
      E: '',
      F: '',
      G: 'http://x/#frag',
      H: 'first\n  second # kept\nthird',
      I: 'a\nb',
      J: 'a=b==',
      K: "it's",
      L: 'back "tick"',
      M: 'é🔐',
    });
  });

  it('keeps repeated keys in order', () => {
    expect(parseDotenv('A=1\nA=2').pairs).toEqual([
      { key: 'A', value: '1' },
      { key: 'A', value: '2' },
    ]);
  });

  it('reports invalid lines by number and parses the rest', () => {
    const { pairs, problems } = parseDotenv('A=1\nhello\n2B=x\nC-D=hunter2\nE="a" b\nF=\'open\nG=2\n');
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect(pairs.map(({ key }) => key)).toEqual(['A', 'G']);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it('parses a megabyte quickly', () => {
    // Takes 100 ms; backtracking takes hours.
    const before = performance.now();
    parseDotenv("A='x\n".repeat(200_000));
    parseDotenv(`A="${'\\'.repeat(1_000_000)}`);
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});

describe('formatDotenv', () => {
  it('round-trips any value', () => {
    const alphabet = [...'ab01 \'"`\\$#=\n\r\t\0{}é🔐\ufeff\u2028\u0085'];
    let seed = 1;
    const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    const pairs = Array.from({ length: 3000 }, (_, i) => ({
      key: `K_${i}`,
      value: Array.from(
        { length: Math.floor(next() * 10) },
        () => alphabet[Math.floor(next() * alphabet.length)],
      ).join(''),
    }));
    expect(parseDotenv(formatDotenv(pairs))).toEqual({ pairs, problems: [] });
  });
  it('leaves simple values unquoted', () => {
    expect(
      formatDotenv([
        { key: 'A', value: 'http://x:1/?a=b' },
        { key: 'B', value: 'a b' },
      ]),
    ).toBe("A=http://x:1/?a=b\nB='a b'\n");
  });
});
