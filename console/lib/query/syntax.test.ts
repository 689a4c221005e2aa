import { describe, expect, it } from 'vitest';
import { EVENT_KEYS, parseEventQuery, parseTime } from './events';
import { MAX_TERMS, MAX_VALUES, parseQuery, printQuery, type Term } from './syntax';

const parse = (text: string) => parseQuery(text, EVENT_KEYS);
const bare = ({ key, negated, values }: Term): Term => ({ key, negated, values });
const marked = (text: string) =>
  parse(text).errors.map(({ start, end, message }) => [text.slice(start, end), message]);

/** The same numbers in every run, so that failures can be reproduced (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Favors the syntax's special characters, surrogate pairs and unusual spaces. */
const CHARS = [...'ab:,-"\\ .*éß😀\u00a0kindseverity:"", 0129TZ'];
const LETTERS = 'abcdefghijkl';

function someText(below: (n: number) => number): string {
  const length = 1 + below(12);
  const text = Array.from({ length }, () => CHARS[below(CHARS.length)]).join('');
  return text.trim() === '' ? 'x' : text;
}

function someTerms(below: (n: number) => number): Term[] {
  const terms: Term[] = [];
  for (let i = below(6); i > 0; i--) {
    const negated = below(2) === 0;
    const key = ['kind', 'severity', 'cvm', 'app', 'by', null][below(6)]!;
    if (key === null) {
      terms.push({ key, negated, values: [someText(below)] });
      continue;
    }
    if (terms.some((one) => one.key === key && one.negated === negated)) continue;
    const one = () =>
      key === 'severity'
        ? ['info', 'warning', 'error'][below(3)]!
        : key === 'kind'
          ? `${LETTERS[below(12)]}.${LETTERS[below(12)]}*`
          : someText(below);
    terms.push({ key, negated, values: [...new Set(Array.from({ length: 1 + below(4) }, one))] });
  }
  return terms;
}

describe('a printed query', () => {
  it('parses back to the same query, whatever its values', () => {
    const below = numbers(1);
    for (let run = 0; run < 3000; run++) {
      const terms = someTerms(below);
      const parsed = parse(printQuery(terms));
      expect(parsed.errors, printQuery(terms)).toEqual([]);
      expect(parsed.terms.map(bare)).toEqual(terms);
    }
  });

  it('means the same as the valid part of any text, with errors located inside the text', () => {
    const below = numbers(2);
    for (let run = 0; run < 3000; run++) {
      const written = Array.from({ length: below(5) }, () => someText(below)).join(' ');
      const first = parse(written);
      for (const { start, end } of first.errors) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(written.length);
        expect(start).toBeLessThanOrEqual(end);
      }
      const again = parse(printQuery(first.terms));
      expect(again.errors).toEqual([]);
      expect(again.terms.map(bare)).toEqual(first.terms.map(bare));
    }
  });
});

describe('parsing', () => {
  it('keeps keys, values, signs, quotes and positions', () => {
    const { terms, errors } = parse(
      'kind:update.failed  -severity:info,warning "host \\"eu-1\\"" -foo,bar Cvm:"a b",c',
    );
    expect(errors).toEqual([]);
    expect(terms).toEqual([
      { key: 'kind', negated: false, values: ['update.failed'], start: 0, end: 18 },
      { key: 'severity', negated: true, values: ['info', 'warning'], start: 20, end: 42 },
      { key: null, negated: false, values: ['host "eu-1"'], start: 43, end: 58 },
      { key: null, negated: true, values: ['foo,bar'], start: 59, end: 67 },
      { key: 'cvm', negated: false, values: ['a b', 'c'], start: 68, end: 79 },
    ]);
    expect(parse('').terms).toEqual([]);
  });
});

describe('errors', () => {
  it.each([
    ['a severty:error', 'severty:error', 'did you mean severity:?'],
    ['http://x', 'http://x', 'put it in quotes: "http://x"'],
    ['severity:eror', 'eror', 'did you mean error?'],
    ['kind:', 'kind:', 'as in kind:update.failed'],
    ['kind:,a', 'kind:', 'needs a value'],
    ['kind:Update', 'Update', 'lowercase letters'],
    ['x "open', '"open', 'closing quote'],
    ['"a"b', 'b', 'space is missing'],
    ['a"b', '"', 'whole value in quotes'],
    ['""', '""', 'quotes are empty'],
    ['foo -', '-', 'without a space'],
    ['operation:12', '12', 'correlation ID'],
    ['-after:2d', '-after:2d', 'remove the “-”'],
    ['after:2026-02-30', '2026-02-30', '2026-11-01'],
    ['after:2d,3d', '3d', 'takes one value'],
    ['severity:error severity:info', 'severity:info', 'severity:error,info'],
    ['severity:error,error', 'error', 'twice'],
    ['a\u0000b', 'a\u0000b', 'Control characters'],
  ])('are reported with position and advice: %s', (written, place, message) => {
    const [first] = marked(written);
    expect(first?.[0]).toBe(place);
    expect(first?.[1]).toContain(message);
  });

  it('cover exceeded limits', () => {
    expect(marked('x'.repeat(1001))[0]?.[1]).toContain('at most 1000');
    expect(marked(Array.from({ length: MAX_TERMS + 1 }, (_, i) => `w${i}`).join(' '))[0]?.[1]).toContain(
      '20 parts',
    );
    expect(
      marked(`cvm:${Array.from({ length: MAX_VALUES + 1 }, (_, i) => `c${i}`).join(',')}`)[0]?.[1],
    ).toContain('at most 20 values');
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T14:30', '2026-11-01T14:30:00.000Z'],
    ['2026-11-01T14:30:05.25+02:00', '2026-11-01T12:30:05.250Z'],
    ['2h', '2026-11-21T10:00:00.000Z'],
    ['7d', '2026-11-14T12:00:00.000Z'],
  ])('are parsed: %s', (written, meant) => {
    expect(new Date(parseTime(written, now)!).toISOString()).toBe(meant);
  });
  it.each([
    '',
    '2026',
    '2026-13-01',
    '2026-11-31',
    '2026-11-01T25:00',
    '2026-11-01T10:00+99:00',
    '5y',
    '-2h',
  ])('are rejected: %s', (written) => expect(parseTime(written, now)).toBeNull());
  it('are rejected at the second of two contradictory values', () => {
    const { errors } = parseEventQuery('before:2026-11-01 after:2026-11-02');
    expect(errors).toMatchObject([{ start: 0, end: 17 }]);
  });
});
