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

export type Resolve = (schema: Schema) => Schema;

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

/** Returns values that mostly fit the schema; about one in ten places holds a hostile value instead. */
export function valueOf(schema: Schema, resolve: Resolve, depth = 0): Arbitrary<unknown> {
  const fitting = fittingValue(resolve(schema), resolve, depth);
  return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: hostile });
}

function fittingValue(schema: Schema, resolve: Resolve, depth: number): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => valueOf(one, resolve, depth)));
  if (schema.allOf)
    return fc
      .tuple(...schema.allOf.map((one) => fittingValue(resolve(one), resolve, depth)))
      .map((parts) => Object.assign({}, ...parts) as unknown);
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, resolve, depth)));
}

function valueOfType(type: string, schema: Schema, resolve: Resolve, depth: number): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case 'string':
      return textOf(schema);
    case 'array': {
      const { items = {}, prefixItems, minItems = 0, maxItems = MAX_ITEMS } = schema;
      if (prefixItems) return fc.tuple(...prefixItems.map((one) => valueOf(one, resolve, depth + 1)));
      const most = Math.max(minItems, Math.min(maxItems, MAX_ITEMS));
      return fc.array(valueOf(items, resolve, depth + 1), { minLength: minItems, maxLength: most });
    }
    default:
      return objectOf(schema, resolve, depth);
  }
}

function objectOf(schema: Schema, resolve: Resolve, depth: number): Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const entries = Object.entries(properties).filter(([name]) => depth < MAX_DEPTH || required.includes(name));
  if (entries.length === 0) return fc.dictionary(fc.string({ maxLength: 8 }), hostile, { maxKeys: 2 });
  const values = Object.fromEntries(
    entries.map(([name, property]) => [name, valueOf(property, resolve, depth + 1)]),
  );
  const usual = fc.record(values, { requiredKeys: required.filter((name) => Object.hasOwn(values, name)) });
  const missing = fc.record(values, { requiredKeys: [] });
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: missing });
}

function textOf({ format, pattern, minLength = 0, maxLength = MAX_TEXT }: Schema): Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'email') return fc.emailAddress();
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  const most = Math.max(minLength, Math.min(maxLength, MAX_TEXT));
  const free = fc.string({ minLength, maxLength: most, unit: 'binary' });
  if (pattern === undefined) return free;
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: most });
  } catch {
    // fast-check can't generate text for lookaheads.
    return free;
  }
}
