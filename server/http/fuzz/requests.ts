import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import { ownValue } from '../../../console/lib/ownValue';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import { ROOT } from '../../root';
import { hostile, hostileText, valueOf, wellFormed, type Schema, type Source } from './schemaArbitrary';
import type { SeenValues } from './seenValues';

/** Requests generated from the API document. */

export const document = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Documented>>;
};

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema?: Schema;
  content?: Record<string, { schema?: Schema }>;
}
interface Media {
  schema: Schema;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}
export interface Documented {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>;
}
export interface FuzzRequest {
  path: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export function resolve<T extends { $ref?: string }>(one: T): T {
  if (one.$ref === undefined) return one;
  const found = one.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => ownValue(at as Record<string, unknown>, key), document);
  return resolve(found as T);
}

export function documentedOf(id: OperationId): Documented {
  const { path, method } = operations[id];
  const found = ownValue(ownValue(document.paths, path) ?? {}, method);
  if (!found) throw new Error(`The document has no ${id}.`);
  return found;
}

/** Fields whose free text the server parses. */
const COMPOSE = [
  'services:\n  web:\n    image: nginx:alpine\n',
  'services:\n  web:\n    image: nginx:alpine\n    ports: ["80:80"]\n    environment: ["A=${SECRET}"]\n',
  'services: {}',
  '',
];

/** @param hostility hostile values in ten places */
export function requestFor(id: OperationId, seen: SeenValues, hostility: number): Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody } = documentedOf(id);
  const source: Source = {
    resolve,
    hostility,
    known: (name) => (name.includes('compose') ? [...COMPOSE, ...seen.named(name)] : seen.named(name)),
  };
  const all = parameters.map((one) => resolve(one));
  const path = all
    .filter((one) => one.in === 'path')
    .map(({ name, schema = {} }) => {
      const existing = seen.inPath(operations[id].path, name);
      const other = fc
        .oneof(hostileText, valueOf(schema, source, name).map(String))
        .map((value) => wellFormed(value) || 'x');
      return [
        name,
        existing.length === 0
          ? other
          : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: other }),
      ] as const;
    });
  const query = all
    .filter((one) => one.in === 'query')
    .map(({ name, schema, content }) => {
      const values = valueOf(schema ?? Object.values(content ?? {})[0]?.schema ?? {}, source, name);
      return [
        name,
        values.map((value) =>
          wellFormed(typeof value === 'string' && !content ? value : JSON.stringify(value)),
        ),
      ] as const;
    });
  return fc.record({
    path: fc.record(Object.fromEntries(path)),
    query: fc.record(Object.fromEntries(query), { requiredKeys: [] }),
    body: bodyOf(requestBody, source),
  });
}

function bodyOf(requestBody: Documented['requestBody'], source: Source): Arbitrary<unknown> {
  if (!requestBody) return fc.constant(undefined);
  const json = requestBody.content['application/json'];
  if (!json) return fc.string({ maxLength: 200, unit: 'binary' });
  const generated = valueOf(json.schema, source);
  const choices = [
    { weight: 4, arbitrary: generated },
    { weight: source.hostility, arbitrary: hostile },
    { weight: source.hostility, arbitrary: fc.constantFrom('', '{', '[]', '{"a":', '\u0000') },
  ];
  const example = exampleOf(json);
  // Most fields of a generated body must fit together; an example with one or two other values still does.
  if (example) choices.push({ weight: 12, arbitrary: variation(example, json.schema, source) });
  return fc.oneof(...choices);
}

/** The document's first example of a body; null if it has none that is an object. */
export function exampleOf({ examples = {} }: Media): Record<string, unknown> | null {
  const first = Object.values(examples)[0];
  const value = first && resolve(first).value;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The document's example with existing identifiers, and up to two other fields. */
function variation(
  example: Record<string, unknown>,
  schema: Schema,
  source: Source,
): Arbitrary<Record<string, unknown>> {
  const fields = fieldsOf(schema);
  const names = Object.keys(fields);
  const existing = Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const known = /(_id|_uuid|_hash|slug|image)$/.test(name) ? source.known(name) : [];
      return [name, known.at(-1) ?? value];
    }),
  );
  return fc
    .shuffledSubarray(names, { maxLength: Math.min(2, names.length) })
    .chain((changed) =>
      fc.record(
        Object.fromEntries(
          changed.map((name) => [name, valueOf(ownValue(fields, name) ?? {}, source, name)]),
        ),
      ),
    )
    .map((changes) => ({ ...existing, ...changes }));
}

/** The properties of an object's schema, whichever of its parts they are in. */
function fieldsOf(schema: Schema): Record<string, Schema> {
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = resolve(schema);
  const parts = [...allOf, ...anyOf, ...oneOf].map(fieldsOf);
  return Object.assign({}, ...parts, properties) as Record<string, Schema>;
}
