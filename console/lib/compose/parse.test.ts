import { LineCounter } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parseYaml, TooDeep } from './parse';

const parse = (text: string) => parseYaml(text, { lineCounter: new LineCounter() });

describe('parsing untrusted YAML', () => {
  it.each(['[', '[a,', '["a", ', '{a: ', '{a: [b, ', '[? ', '&a [', '!!seq [', '- ', '? ', '? &a ', '[{a: '])(
    'rejects deep nesting of %j before composing it',
    (unit) => {
      for (const depth of [400, 40_000]) expect(() => parse(unit.repeat(depth))).toThrow(TooDeep);
    },
  );

  it('accepts sibling brackets and brackets inside strings', () => {
    const text = `a: [${'[],'.repeat(1_000)}]\nb: |\n  ${'{[('.repeat(1_000)}\nc: "${'['.repeat(1_000)}"\n`;
    expect(parse(text).errors).toEqual([]);
  });

  it('reports multiple documents and the location of an error', () => {
    expect(parse('a: 1\n---\nb: 2\n').errors.map(({ code }) => code)).toEqual(['MULTIPLE_DOCS']);
    const lineCounter = new LineCounter();
    const [error] = parseYaml('a: 1\nb: [\n', { lineCounter }).errors;
    expect(lineCounter.linePos(error?.pos[0] ?? 0).line).toBeGreaterThan(1);
  });
});
