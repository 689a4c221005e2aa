import { createHash } from 'node:crypto';

/** One field of a representation that forms edit. */
export interface VersionedField<R> {
  /** The field's name in requests. */
  field: string;
  value: (row: R) => unknown;
  /** What a 412 reports instead of the value: texts are too long for an error, secrets never leave the server. */
  report?: (row: R) => unknown;
}

/** A field that changed since the version the caller read, and its current value. */
export interface FieldChange {
  field: string;
  value: unknown;
}

/**
 * Strong entity tags of one kind of representation (RFC 9110 §8.8.3). A tag carries a digest of each edited
 * field, so a stale tag tells which fields changed; other changes, such as a status or a last use, don't make
 * a tag stale.
 */
export interface Version<R> {
  /** @param rest everything else the representation shows, so that no cache confuses two states */
  etag(row: R, rest: unknown): string;
  /**
   * Returns the edited fields changed since the version in an If-Match header: none for `*` and for a current
   * tag. Of several tags the one with the fewest changes counts. Null when no tag is a version of this kind;
   * weak tags never are (RFC 9110 §13.1.1).
   */
  changedSince(row: R, header: string): FieldChange[] | null;
}

const LENGTH = 6;
const TAG = /(?:W\/)?"[^"]*"/g;

/**
 * Returns an If-Match header's entity tags, weak ones with their `W/` so that none equals a strong tag. Null
 * when it isn't a list of tags (RFC 9110 §13.1.1); the caller handles `*`.
 */
export function entityTags(header: string): string[] | null {
  const between = header.replace(TAG, '');
  return /^[\s,]*$/.test(between) ? (header.match(TAG) ?? []) : null;
}

const digest = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, LENGTH);

/**
 * @param prefix names the kind and format of the tags: a tag of another kind never matches @param fields
 * append only, so that issued tags stay readable
 */
export function defineVersion<R>(prefix: string, fields: readonly VersionedField<R>[]): Version<R> {
  const digests = (row: R) => fields.map(({ value }) => digest(value(row)));
  const form = new RegExp(`^"${prefix}\\.([\\w-]+)\\.[\\w-]+"$`);
  /** Returns the fields that differ from a tag, or null when it isn't one of these. */
  const differing = (now: readonly string[], tag: string) => {
    const parts = form.exec(tag)?.[1];
    if (parts === undefined || parts.length % LENGTH !== 0) return null;
    return fields.filter((_, i) => {
      const then = parts.slice(i * LENGTH, (i + 1) * LENGTH);
      // Tags from before the field was added have no digest of it.
      return then !== '' && then !== now[i];
    });
  };
  return {
    etag: (row, rest) => `"${prefix}.${digests(row).join('')}.${digest(rest)}"`,
    changedSince(row, header) {
      if (header.trim() === '*') return [];
      const now = digests(row);
      const [fewest] = (entityTags(header) ?? [])
        .flatMap((tag) => {
          const found = differing(now, tag);
          return found === null ? [] : [found];
        })
        .toSorted((a, b) => a.length - b.length);
      return (
        fewest?.map(({ field, value, report }) => ({ field, value: (report ?? value)(row) ?? null })) ?? null
      );
    },
  };
}
