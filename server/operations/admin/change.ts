import { createHash } from 'node:crypto';
import { brokenConstraint } from '../../db/client';
import type { Json } from '../../db/schema';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';

/** The version of a row, for `ETag` and `If-Match`: strong, and opaque on purpose. */
export function etagOf(kind: string, id: number | string, at: Date): string {
  const hash = createHash('sha256').update(`${kind}/${id}/${at.getTime()}`).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}

/** RFC 9110 §13.1.1: `*` or a list of tags, compared strongly. Without the header the change is made in any case. */
export function checkIfMatch(ctx: Context, etag: string): void {
  const header = ctx.headers['if-match'];
  if (header === undefined || header.trim() === '*') return;
  if (header.split(',').some((tag) => tag.trim() === etag)) return;
  throw new Problem('PRECONDITION_FAILED');
}

/** Time of this change, later than the one before even within one millisecond, so that no two versions share a tag. */
export const nextVersion = (row: { updated_at: Date }) =>
  new Date(Math.max(Date.now(), row.updated_at.getTime() + 1));

/** The keys of `patch` that differ from the row: what is written, and what the audit row tells. */
export function changesOf<T extends object, K extends keyof T>(
  row: T,
  patch: { [P in K]?: T[P] | undefined },
): Partial<Pick<T, K>> {
  const changed = Object.entries(patch).filter(
    ([key, value]) => value !== undefined && value !== row[key as keyof T],
  );
  return Object.fromEntries(changed) as Partial<Pick<T, K>>;
}

/** The same keys of the row, for the audit's `before`. */
export function keysOf(row: object, keys: Iterable<string>): Record<string, Json> {
  return Object.fromEntries([...keys].map((key) => [key, (row as Record<string, Json>)[key] ?? null]));
}

/** One mistake of one field, as the forms read it. */
export const invalid = (field: string, message: string) =>
  new Problem('VALIDATION_FAILED', { message, details: [{ field, message }] });

/** Turns "this name exists" from the database into the conflict the document declares. */
export async function namingConflict<T>(
  taken: Record<string, { field: string; message: string }>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = taken[brokenConstraint(error) ?? ''];
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
