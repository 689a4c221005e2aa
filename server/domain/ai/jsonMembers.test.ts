import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editMembers, membersOf, repeatedMember } from './jsonMembers';

const bytes = (text: string) => Buffer.from(text);
const edited = (json: string, edits: Parameters<typeof editMembers>[1]) =>
  Buffer.concat(editMembers(bytes(json), edits)).toString();

describe('changing members of a JSON object', () => {
  it('leaves every other byte unchanged', () => {
    const json =
      '{ "model" : "a" ,\n"n":1e400, "x": [ {"model":"}\\"{,"} , 1 ], "seed":12345678901234567890 }';
    expect(edited(json, { set: { model: 'b/ü' } })).toBe(
      '{ "model" : "b/ü" ,\n"n":1e400, "x": [ {"model":"}\\"{,"} , 1 ], "seed":12345678901234567890 }',
    );
    expect(edited('{"a":"é"}', { set: { b: { c: true } } })).toBe('{"b":{"c":true},"a":"é"}');
    expect(edited(' {} ', { set: { b: 1 } })).toBe(' {"b":1} ');
  });

  it.each([
    ['{"p":{},"a":1}', '{"a":1}'],
    ['{"a":1,"p":{ "x":"}" },"b":2}', '{"a":1,"b":2}'],
    ['{"a":1 , "p":null }', '{"a":1 }'],
    ['{"p":1}', '{}'],
    ['{"a":1}', '{"a":1}'],
  ])('removes one from %s', (json, rest) => {
    expect(edited(json, { set: {}, remove: 'p' })).toBe(rest);
  });

  it.each([
    ['{"a":1,"p":{}}', '{"b":2,"a":3}'],
    ['{"p":{} , "a":1}', '{"b":2,"a":3}'],
    ['{"p":{}}', '{"b":2,"a":3}'],
    ['{"b":1,"p":{},"a":1}', '{"b":2,"a":3}'],
  ])('removes one and sets others in %s', (json, result) => {
    const changed = JSON.parse(edited(json, { set: { b: 2, a: 3 }, remove: 'p' })) as object;
    expect(changed).toEqual(JSON.parse(result));
  });

  it('copies no unchanged bytes', () => {
    const image = bytes(`{"model":"a","image":"${'A'.repeat(100_000)}"}`);
    const parts = editMembers(image, { set: { model: 'b', stream: true } });
    const copied = parts
      .filter(({ buffer }) => buffer !== image.buffer)
      .reduce((sum, one) => sum + one.length, 0);
    expect(Buffer.concat(parts).toString()).toBe(
      `{"stream":true,"model":"b","image":"${'A'.repeat(100_000)}"}`,
    );
    expect(copied).toBeLessThan(30);
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

describe('a duplicate member of an object', () => {
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
