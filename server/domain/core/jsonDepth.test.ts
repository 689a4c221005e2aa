import { describe, expect, it } from 'vitest';
import { isTooDeep, jsonExcess, MAX_JSON_DEPTH } from './jsonDepth';

const check = (json: string) => isTooDeep(Buffer.from(json));
const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

describe('depth of JSON', () => {
  it('accepts the limit and refuses one level more', () => {
    expect([check(lists(MAX_JSON_DEPTH)), check(lists(MAX_JSON_DEPTH + 1))]).toEqual([false, true]);
    expect([check(objects(MAX_JSON_DEPTH)), check(objects(MAX_JSON_DEPTH + 1))]).toEqual([false, true]);
  });

  it('counts levels, not brackets', () => {
    expect(check(`[${Array.from({ length: 5_000 }, () => '[{}]').join()}]`)).toBe(false);
  });

  it('ignores brackets in strings, even after escapes', () => {
    expect(check(JSON.stringify({ text: '[{'.repeat(500) }))).toBe(false);
    expect(check(JSON.stringify({ text: `\\"${'['.repeat(500)}` }))).toBe(false);
    expect(check(`["\\\\",${lists(MAX_JSON_DEPTH)}]`)).toBe(true);
    expect(check(JSON.stringify({ text: 'ü{'.repeat(500) }))).toBe(false);
  });

  it('detects nesting that is never closed', () => {
    expect(check('['.repeat(1_000_000))).toBe(true);
  });
});

describe('values and objects of JSON', () => {
  const most = { values: 5, objects: 2 };
  const excess = (json: string) => jsonExcess(Buffer.from(json), most);

  it.each([
    ['[1,2,3]', null],
    ['[1,2,3,4,5]', 'values'],
    ['[[],[],[]]', 'values'],
    ['[{},{}]', null],
    ['{"a":{"b":{}}}', 'objects'],
    ['"a,b,c,d,e,f{}{}{}"', null],
  ])('of %s: %s', (json, expected) => {
    expect(excess(json)).toBe(expected);
  });
});
