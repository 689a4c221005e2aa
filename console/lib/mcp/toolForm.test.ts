import { describe, expect, it } from 'vitest';
import { readArguments, toolFormOf, type ToolField } from './toolForm';

const property = (schema: unknown, required: string[] = []): ToolField =>
  toolFormOf({ type: 'object', properties: { value: schema }, required }).fields[0]!;
const read = (schema: object, values: Record<string, string>, more = '') =>
  readArguments(toolFormOf(schema), new Map(Object.entries(values)), more);
/** Reads a form with one field. */
const entered = (schema: object, text: string, required: string[] = []) => {
  const form = { type: 'object', properties: { value: schema }, required };
  const { arguments: args, faults } = read(form, { value: text });
  return faults.get('value') ?? args;
};

describe('fields of a schema', () => {
  it.each<[string, object, object]>([
    ['a short string', { type: 'string', maxLength: 12 }, { kind: 'text', is_long: false, max_length: 12 }],
    ['a string', { type: 'string' }, { kind: 'text', is_long: true }],
    ['an integer', { type: 'integer', minimum: 1 }, { kind: 'number', is_integer: true, minimum: 1 }],
    ['a number', { type: 'number' }, { kind: 'number', is_integer: false }],
    ['a boolean', { type: 'boolean' }, { kind: 'choice', choices: [true, false] }],
    ['an enum', { enum: ['a', 2, true] }, { kind: 'choice', choices: ['a', 2, true] }],
    ['a constant', { const: 'only' }, { kind: 'choice', choices: ['only'] }],
    ['strings', { type: 'array', items: { type: 'string' } }, { kind: 'lines' }],
    ['numbers', { type: 'array', items: { type: 'number' } }, { kind: 'json' }],
    ['an object', { type: 'object', properties: {} }, { kind: 'json' }],
    ['a reference', { $ref: '#/$defs/Place' }, { kind: 'json' }],
    ['a string or null', { type: ['string', 'null'] }, { kind: 'text', nullable: true }],
    [
      'a number or null',
      { anyOf: [{ type: 'number' }, { type: 'null' }] },
      { kind: 'number', nullable: true },
    ],
    ['one of two types', { anyOf: [{ type: 'number' }, { type: 'string' }] }, { kind: 'json' }],
  ])('uses the right control for %s', (_what, schema, expected) =>
    expect(property(schema)).toMatchObject(expected),
  );

  it('puts required fields first, and describes them', () => {
    const { fields, takes_more } = toolFormOf({
      type: 'object',
      properties: {
        limit: { type: 'integer', description: 'How many notes.', minimum: 1, maximum: 100, default: 20 },
        text: { type: 'string', description: 'The note.' },
      },
      required: ['text'],
    });
    expect(fields.map(({ name, required, help }) => [name, required, help])).toEqual([
      ['text', true, 'The note.'],
      ['limit', false, 'How many notes. 1 to 100. Default: 20.'],
    ]);
    expect(takes_more).toBe(false);
  });

  it('has no fields for a tool without arguments, and JSON for one that declares none', () => {
    expect(toolFormOf({ type: 'object', properties: {} })).toEqual({ fields: [], takes_more: false });
    for (const schema of [{ type: 'object' }, {}, null, 'text', [], { properties: [] }, { properties: null }])
      expect(toolFormOf(schema)).toEqual({ fields: [], takes_more: true });
  });
});

describe('entered arguments', () => {
  it('have the types of the schema', () => {
    const schema = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        count: { type: 'integer' },
        ratio: { type: 'number' },
        urgent: { type: 'boolean' },
        color: { enum: ['red', 'green'] },
        tags: { type: 'array', items: { type: 'string' } },
        place: { type: 'object' },
        unused: { type: 'string' },
      },
    };
    const values = {
      text: ' tea\n',
      count: '3',
      ratio: '-0.5',
      urgent: '1',
      color: '1',
      tags: 'a\r\n\nb c\n',
      place: '{"lat": 1}',
    };
    expect(read(schema, values)).toEqual({
      arguments: {
        text: ' tea\n',
        count: 3,
        ratio: -0.5,
        urgent: false,
        color: 'green',
        tags: ['a', 'b c'],
        place: { lat: 1 },
      },
      faults: new Map(),
      more_fault: undefined,
    });
  });

  it.each<[object, string, string]>([
    [{ type: 'string' }, '', 'Enter a value.'],
    [{ type: 'boolean' }, '', 'Choose a value.'],
    [{ type: 'string', minLength: 3 }, 'ab', 'Enter at least 3 characters.'],
    [{ type: 'string', maxLength: 3 }, 'abcd', 'Enter at most 3 characters.'],
    [{ type: 'integer' }, '1.5', 'Enter a whole number.'],
    [{ type: 'integer' }, '1e400', 'Enter a whole number.'],
    [{ type: 'number' }, 'ten', 'Enter a number.'],
    [{ type: 'number', minimum: 2 }, '1', 'Enter at least 2.'],
    [{ type: 'number', maximum: 2 }, '3', 'Enter at most 2.'],
    [{ type: 'object' }, '{a: 1}', 'Enter valid JSON.'],
    [{ type: 'array' }, '['.repeat(40_000) + ']'.repeat(40_000), 'Enter valid JSON.'],
    [{ type: 'array' }, `[${'1,'.repeat(60_000)}1]`, 'Enter valid JSON.'],
  ])('of %j reject invalid input', (schema, text, fault) =>
    expect(entered(schema, text, ['value'])).toBe(fault),
  );

  it('omit empty fields, or send null if required', () => {
    expect(entered({ type: 'integer' }, ' ')).toEqual({});
    expect(entered({ type: ['integer', 'null'] }, '', ['value'])).toEqual({ value: null });
  });

  it('accept arguments without a field as a JSON object', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: true };
    expect(read(schema, { a: '1' }, '{"a": 5, "b": [2]}').arguments).toEqual({ a: 1, b: [2] });
    expect(read(schema, {}, '[1]').more_fault).toContain('JSON object');
    expect(read({ type: 'object', properties: {} }, {}, '{"b": 1}').arguments).toEqual({});
  });
});

describe('a hostile schema', () => {
  it('has a limited number of fields; the rest is entered as JSON', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const form = toolFormOf({ properties, required: ['p9999', ...names] });
    expect(form.fields).toHaveLength(60);
    expect(form.takes_more).toBe(true);
  });

  it('has limited texts and choices', () => {
    const long = 'x'.repeat(100_000);
    const many = Array.from({ length: 50_000 }, (_, index) => `v${index}`);
    expect(property({ type: 'string', description: long, default: long }).help.length).toBeLessThan(700);
    expect(property({ type: long }).help.length).toBeLessThan(100);
    expect(property({ type: 'string', enum: many }).kind).toBe('text');
    expect(property({ enum: many }).kind).toBe('json');
    expect(property({ enum: [{ a: 1 }] }).kind).toBe('json');
    expect(property({ anyOf: many.map(() => ({ type: 'string' })) }).kind).toBe('json');
    const { fields, takes_more } = toolFormOf({ properties: { [long]: { type: 'string' }, '': {} } });
    expect([fields.length, takes_more]).toEqual([0, true]);
  });

  it('doesn’t reach Object.prototype', () => {
    const schema: unknown = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["toString"]}',
    );
    const form = toolFormOf(schema);
    expect(form.fields.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
    expect(form.takes_more).toBe(true);
    const values = new Map([
      ['__proto__', 'x'],
      ['constructor', '1'],
    ]);
    const { arguments: args } = readArguments(form, values, '{"__proto__": {"admin": true}}');
    expect(JSON.stringify(args)).toBe('{"__proto__":"x","constructor":1}');
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('may be nested, circular by reference, or have wrong types', () => {
    let deep: object = { type: 'string' };
    for (let depth = 0; depth < 50_000; depth += 1) deep = { anyOf: [deep, { type: 'null' }] };
    expect(property(deep).kind).toBe('json');
    const wrong = {
      type: 5,
      enum: 'x',
      minimum: 'a',
      description: {},
      items: 3,
      anyOf: 7,
      default: null,
    };
    expect(property(wrong)).toMatchObject({ kind: 'json', help: 'JSON.' });
    expect(toolFormOf({ properties: { a: true, b: null, c: 5 }, required: 'a' }).fields).toHaveLength(3);
  });

  it('never runs the server’s patterns', () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(entered(schema, `${'a'.repeat(200)}!`)).toEqual({ value: `${'a'.repeat(200)}!` });
  });
});
