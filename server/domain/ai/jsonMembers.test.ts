import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersOf, repeatedMember, withMembers, withoutMember } from './jsonMembers';

const bytes = (text: string) => Buffer.from(text);

describe('changing members of a JSON object', () => {
  it('leaves every other byte as it was', () => {
    const json =
      '{ "model" : "a" ,\n"n":1e400, "x": [ {"model":"}\\"{,"} , 1 ], "seed":12345678901234567890 }';
    expect(withMembers(bytes(json), { model: 'b/ü' }).toString()).toBe(
      '{ "model" : "b/ü" ,\n"n":1e400, "x": [ {"model":"}\\"{,"} , 1 ], "seed":12345678901234567890 }',
    );
    expect(withMembers(bytes('{"a":"é"}'), { b: { c: true } }).toString()).toBe('{"b":{"c":true},"a":"é"}');
    expect(withMembers(bytes(' {} '), { b: 1 }).toString()).toBe(' {"b":1} ');
  });

  it.each([
    ['{"p":{},"a":1}', '{"a":1}'],
    ['{"a":1,"p":{ "x":"}" },"b":2}', '{"a":1,"b":2}'],
    ['{"a":1 , "p":null }', '{"a":1 }'],
    ['{"p":1}', '{}'],
    ['{"a":1}', '{"a":1}'],
  ])('removes one from %s', (json, rest) => {
    expect(withoutMember(bytes(json), 'p').toString()).toBe(rest);
  });

  it('finds the members of any object, however it is spaced', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const json = bytes(JSON.stringify(value, null, indent));
        const found = membersOf(json).map(({ name, value: from, end }) => [
          name,
          JSON.parse(json.subarray(from, end).toString()) as unknown,
        ]);
        expect(found).toEqual(Object.entries(JSON.parse(json.toString()) as object));
      }),
    );
  });
});

describe('a member that an object has twice', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"x":[{"b":"}"},{"a":1,"b":{"a":[]},"a":null}]}', 'a'],
    ['[[{ "é" : 1 , "\\u00e9" : 2 }]]', 'é'],
    ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":"a"},"a","a"]}', null],
    ['{"a":"\\"","b":"a"}', null],
    ['"a"', null],
  ])('of %s is found', (json, name) => {
    expect(repeatedMember(bytes(json))).toBe(name);
  });

  it('is found in no JSON that was written from a value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => repeatedMember(bytes(JSON.stringify(value))) === null));
  });
});
