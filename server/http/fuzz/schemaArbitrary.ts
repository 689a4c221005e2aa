import fc, { type Arbitrary } from 'fast-check';

/** The part of JSON Schema that the API document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** Maximum depth of free-form values and optional keys. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 3;
const MAX_TEXT = 40;

/** Edge cases that code overlooks: valid JSON that fits no field, or barely fits. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  ' ',
  '0',
  '-1',
  'null',
  '\u0000',
  '\ud800',
  '\u202e\u0007',
  "'; drop table cvms; --",
  '%00%zz',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'a'.repeat(5000),
  '9'.repeat(400),
  '0000-00-00T00:00:00Z',
  '+275761-01-01T00:00:00Z',
  '550e8400-e29b-41d4-a716-446655440000',
  [],
  [[[[[[]]]]]],
  {},
  { toString: 1 },
  JSON.parse('{"__proto__":{"a":1}}') as unknown,
  Array.from({ length: 1100 }, () => 0),
];

/** URLs can't contain a lone surrogate. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

export const hostile: Arbitrary<unknown> = fc.constantFrom(...HOSTILE);
/** The same values as text, for paths and query strings. */
export const hostileText: Arbitrary<string> = hostile.map((value) =>
  typeof value === 'string' ? wellFormed(value) : (JSON.stringify(value) ?? ''),
);

/** What generated values are made of. */
export interface Source {
  resolve: (schema: Schema) => Schema;
  /** Returns values that a field of this name has had. */
  known: (name: string) => readonly unknown[];
  /** Hostile values in ten places. */
  hostility: number;
}

/** Returns values that mostly fit the schema. @param name the field's; empty if it has none */
export function valueOf(schema: Schema, source: Source, name = '', depth = 0): Arbitrary<unknown> {
  const own = source.resolve(schema);
  const known = own.enum === undefined && own.type !== 'boolean' ? source.known(name) : [];
  return fc.oneof(
    { weight: 10 - source.hostility, arbitrary: fittingValue(own, source, name, depth) },
    { weight: source.hostility, arbitrary: hostile },
    ...(known.length === 0 ? [] : [{ weight: 10, arbitrary: fc.constantFrom(...known) }]),
  );
}

function fittingValue(schema: Schema, source: Source, name: string, depth: number): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => valueOf(one, source, name, depth)));
  if (schema.allOf)
    return fc
      .tuple(...schema.allOf.map((one) => fittingValue(source.resolve(one), source, name, depth)))
      .map((parts) => Object.assign({}, ...parts) as unknown);
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, source, name, depth)));
}

function valueOfType(
  type: string,
  schema: Schema,
  source: Source,
  name: string,
  depth: number,
): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integerOf(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case 'string':
      return textOf(schema);
    case 'array': {
      const { items = {}, prefixItems, minItems = 0, maxItems = MAX_ITEMS } = schema;
      if (prefixItems) return fc.tuple(...prefixItems.map((one) => valueOf(one, source, '', depth + 1)));
      const most = Math.max(minItems, Math.min(maxItems, MAX_ITEMS));
      const item = valueOf(items, source, name.replace(/s$/, ''), depth + 1);
      return fc.array(item, { minLength: minItems, maxLength: most });
    }
    default:
      return objectOf(schema, source, depth);
  }
}

/** Small numbers, which counts and sizes usually are, as often as any. */
function integerOf({ minimum = -1000, maximum = 1000 }: Schema): Arbitrary<number> {
  const max = Math.min(maximum, 2 ** 31 - 1);
  return fc.oneof(
    fc.integer({ min: minimum, max }),
    fc.integer({ min: minimum, max: Math.min(max, minimum + 5) }),
    fc.constant(max),
  );
}

function objectOf(schema: Schema, source: Source, depth: number): Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const entries = Object.entries(properties).filter(([name]) => depth < MAX_DEPTH || required.includes(name));
  if (entries.length === 0) return fc.dictionary(fc.string({ maxLength: 8 }), hostile, { maxKeys: 2 });
  const values = Object.fromEntries(
    entries.map(([name, property]) => [name, valueOf(property, source, name, depth + 1)]),
  );
  const needed = required.filter((name) => Object.hasOwn(values, name));
  const least = Object.fromEntries(Object.entries(values).filter(([name]) => needed.includes(name)));
  return fc.oneof(
    { weight: 5, arbitrary: fc.record(values, { requiredKeys: needed }) },
    { weight: 4, arbitrary: fc.record(least) },
    { weight: source.hostility, arbitrary: fc.record(values, { requiredKeys: [] }) },
  );
}

/** Text that fits most fields. */
const WORD = /^[a-z][a-z0-9-]{3,10}[a-z0-9]$/;

const texts = new Map<string, Arbitrary<string>>();

/** Each made once, because fast-check prepares one with a pattern for milliseconds. */
function textOf({ format, pattern, minLength = 0, maxLength = MAX_TEXT }: Schema): Arbitrary<string> {
  const key = JSON.stringify([format, pattern, minLength, maxLength]);
  const known = texts.get(key);
  if (known) return known;
  const made = newText({ format, pattern, minLength, maxLength });
  texts.set(key, made);
  return made;
}

type TextSchema = Pick<Schema, 'format' | 'pattern'> & { minLength: number; maxLength: number };

function newText({ format, pattern, minLength, maxLength }: TextSchema): Arbitrary<string> {
  if (format === 'date-time') return timeOf();
  if (format === 'email') return fc.emailAddress();
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  const most = Math.max(minLength, Math.min(maxLength, MAX_TEXT));
  if (pattern !== undefined) {
    try {
      return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: most });
    } catch {
      // fast-check can't generate text for lookaheads.
    }
  }
  const any = fc.string({ minLength, maxLength: most, unit: 'binary' });
  return most < 12 || minLength > 5 ? any : fc.oneof(any, fc.stringMatching(WORD));
}

/** Any time, and the next weeks, to which deadlines and schedules are limited. */
function timeOf(): Arbitrary<string> {
  const soon = fc
    .integer({ min: 60, max: 3_000_000 })
    .map((seconds) => new Date(Date.now() + seconds * 1000));
  return fc.oneof(fc.date({ noInvalidDate: true }), soon).map((date) => date.toISOString());
}
