import { withoutSchema } from './filter';
import { invalidValue } from './scimError';
import { isObject, type JsonObject } from './values';

/** Attributes of a reply (RFC 7644 §3.9). Names are in lower case: `username`, `name.familyname`. */
export interface Projection {
  names: ReadonlySet<string>;
  /** Whether these are the only ones, or the excluded ones. */
  only: boolean;
}

const MAX_LENGTH = 4000;

/** Always returned, even if not requested or excluded. */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/**
 * Reads the parameters `attributes` and `excludedAttributes`; null for the default attributes. If both are sent, `attributes`
 * counts.
 *
 * @throws {ScimError} 400
 */
export function readProjection(query: JsonObject): Projection | null {
  const only = namesOf('attributes', query['attributes']);
  const excluded = namesOf('excludedAttributes', query['excludedAttributes']);
  if (only.size > 0) return { names: only, only: true };
  return excluded.size > 0 ? { names: excluded, only: false } : null;
}

function namesOf(parameter: string, value: unknown): Set<string> {
  const parts: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (!parts.every((part) => typeof part === 'string'))
    throw invalidValue(`${parameter}: Send names, separated by commas.`);
  const text = parts.join(',');
  if (text.length > MAX_LENGTH) throw invalidValue(`${parameter}: Send at most ${MAX_LENGTH} characters.`);
  const names = text.split(',').map((name) => withoutSchema(name.trim()).toLowerCase());
  return new Set(names.filter((name) => name !== ''));
}

/** Returns the requested part of a resource. Unknown names are ignored. */
export function project(resource: JsonObject, projection: Projection | null): JsonObject {
  if (projection === null) return resource;
  const { names, only } = projection;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]) => {
      const name = key.toLowerCase();
      if (ALWAYS.has(name)) return [[key, value]];
      if (names.has(name)) return only ? [[key, value]] : [];
      const part = partOf(value, name, projection);
      return part === undefined ? [] : [[key, part]];
    }),
  );
}

/** Returns the remaining sub-attributes of a value, or of each of several; undefined if none. */
function partOf(value: unknown, name: string, projection: Projection): unknown {
  if (Array.isArray(value)) {
    const parts = value.flatMap((one) => partOf(one, name, projection) ?? []);
    return parts.length > 0 ? parts : undefined;
  }
  const { names, only } = projection;
  if (!isObject(value)) return only ? undefined : value;
  const kept = Object.entries(value).filter(([key]) => names.has(`${name}.${key.toLowerCase()}`) === only);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
