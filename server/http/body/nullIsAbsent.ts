import type { ZodType } from 'zod';
import { ownValue } from '../../../console/lib/ownValue';
import { requestTexts } from './validationText';

/**
 * Parses a body from published clients, whose optional fields may be null: where the schema has no null, null means
 * absent. A required field stays required, and a null that the schema allows keeps its meaning.
 */
export function parseNullAsAbsent(schema: ZodType, value: unknown): ReturnType<ZodType['safeParse']> {
  const checked = schema.safeParse(value, requestTexts);
  if (checked.success) return checked;
  const rest: unknown = structuredClone(value);
  const removed = checked.error.issues.filter(({ path }) => removeNull(rest, path.map(String)));
  return removed.length === 0 ? checked : schema.safeParse(rest, requestTexts);
}

/** Removes the field at `path` if it is null. Returns whether it did; items of arrays keep their place. */
function removeNull(from: unknown, path: readonly string[]): boolean {
  const key = path.at(-1);
  if (key === undefined) return false;
  let parent = from;
  for (const part of path.slice(0, -1)) {
    if (typeof parent !== 'object' || parent === null) return false;
    parent = ownValue(parent as Record<string, unknown>, part);
  }
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return false;
  const record = parent as Record<string, unknown>;
  return ownValue(record, key) === null && Reflect.deleteProperty(record, key);
}
