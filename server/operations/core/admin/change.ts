import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { brokenConstraint } from '../../../db/core/client';
import type { Json } from '../../../db/core/json';
import { Problem } from '../../../domain/core/problem';
import { entityTags } from '../../../domain/core/version';
import type { Context } from '../../types';
import { ownValue } from '../../../../console/lib/ownValue';

/** Returns a row's version for `ETag` and `If-Match`: a strong, deliberately opaque tag. */
export function etagOf(kind: string, id: number | string, at: Date): string {
  const hash = createHash('sha256').update(`${kind}/${id}/${at.getTime()}`).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}

/**
 * RFC 9110 §13.1.1: `*` or a list of tags, compared strongly. Without the header the change always applies.
 */
export function checkIfMatch(ctx: Context, etag: string): void {
  const header = ctx.headers['if-match'];
  if (header === undefined || header.trim() === '*') return;
  if (entityTags(header)?.includes(etag)) return;
  throw new Problem('PRECONDITION_FAILED');
}

/**
 * Returns the time of this change, later than the previous one even within a millisecond, so that no two
 * versions share a tag.
 */
export const nextVersion = (row: { updated_at: Date }) =>
  new Date(Math.max(Date.now(), row.updated_at.getTime() + 1));

/** Returns the keys of `patch` that differ from the row: what is written and audited. */
export function changesOf<T extends object, K extends keyof T>(
  row: T,
  patch: { [P in K]?: T[P] | undefined },
): Partial<Pick<T, K>> {
  const changed = Object.entries(patch).filter(
    ([key, value]) =>
      value !== undefined && !isDeepStrictEqual(value, ownValue(row as Record<string, unknown>, key)),
  );
  return Object.fromEntries(changed) as Partial<Pick<T, K>>;
}

/** Returns the same keys of the row, for the audit entry's `before`. */
export function keysOf(row: object, keys: Iterable<string>): Record<string, Json> {
  return Object.fromEntries(
    [...keys].map((key) => [key, ownValue(row as Record<string, Json>, key) ?? null]),
  );
}

/** Turns a unique violation on a name into the conflict that the API documents. */
export async function namingConflict<T>(
  taken: Record<string, { field: string; message: string }>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = ownValue(taken, brokenConstraint(error) ?? '');
    if (!known) throw error;
    throw new Problem('CONFLICT', {
      message: known.message,
      details: [known],
      suggestions: ['Choose another.'],
    });
  }
}

/** "a, b, c and 4 more" */
export function someOf(names: readonly string[], total: number): string {
  const rest = total - names.length;
  if (rest > 0) return `${names.join(', ')} and ${rest} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
