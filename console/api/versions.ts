import { useState } from 'react';
import { sameValue } from '../lib/fieldConflict';
import { ConflictError, isApiError, type ApiError } from './apiError';

/** What a form edits, and the version of the resource it was read from. */
export interface Version<V> {
  values: V;
  etag: string;
}

/** For the `headers` of a generated operation. */
export type IfMatch = Record<'If-Match', string>;
type Request<T> = (headers: IfMatch) => Promise<T>;

/** Limits automatic retries after collisions; the last error is shown. */
const MAX_ATTEMPTS = 4;

/**
 * Sends a change of `fields` made from version `etag`. Changes others made to other fields don't stand in its way: it is
 * sent again from the version they left. Rejects with the 412 when one of `fields` changed since.
 */
export async function sendIfUnchanged<T>(
  etag: string,
  fields: readonly string[],
  request: Request<T>,
): Promise<T> {
  for (let attempt = 1, version = etag; ; attempt++) {
    try {
      return await request({ 'If-Match': version });
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isStale(error) || changedAmong(error, fields)) throw error;
      version = error.etag;
    }
  }
}

const isStale = (error: unknown): error is ApiError & { etag: string } =>
  isApiError(error, 412) && error.etag !== undefined && error.fields.length > 0;

const changedAmong = (error: ApiError, fields: readonly string[]) =>
  error.fields.some(({ field }) => fields.includes(field));

export interface VersionedForm<V> {
  /** The initial values: the latest version until something is edited. */
  base: Version<V>;
  values: V;
  isDirty: boolean;
  edit: (change: Partial<V>) => void;
  reset: () => void;
  /** Sends a change of these values; rejects with a ConflictError and sets `conflict` when someone else changed one of them first. */
  send: <T>(request: Request<T>) => Promise<T>;
  conflict: { message: string; theirs: Version<V> } | null;
  /** Continues from their version with these values. */
  settle: (values: V) => void;
}

/** Why a form can't be sent while it shows a conflict. */
export const conflictReason = (form: { conflict: object | null }): string | undefined =>
  form.conflict === null ? undefined : 'Resolve the conflict above first.';

interface Options<V> {
  /** The server's names of the values, where they aren't the form's. */
  fields?: readonly string[];
  /** Reads what a 412 reports of them into the form's values. */
  read?: (changed: Readonly<Record<string, unknown>>, base: V) => V;
  /** Reloads what the form is opened from. */
  refresh: () => Promise<unknown>;
}

/**
 * State of a form over a resource that others edit too. Untouched it follows `latest`; once edited it keeps the version
 * it started from, so a refetch neither overwrites it nor hides that someone else changed the resource.
 */
export function useVersionedForm<V extends object>(
  latest: Version<V>,
  { fields = Object.keys(latest.values), read = merge, refresh }: Options<V>,
): VersionedForm<V> {
  const [started, setStarted] = useState<Version<V> | null>(null);
  const [edited, setEdited] = useState<Partial<V>>({});
  const [conflict, setConflict] = useState<VersionedForm<V>['conflict']>(null);
  const isDirty = started !== null && differs(edited, started.values);
  const base = isDirty ? started : latest;
  const values = isDirty ? { ...base.values, ...edited } : base.values;
  const reset = () => {
    setStarted(null);
    setEdited({});
    setConflict(null);
  };
  return {
    base,
    values,
    isDirty,
    conflict,
    reset,
    edit(change) {
      setStarted(base);
      setEdited(isDirty ? { ...edited, ...change } : change);
    },
    async send(request) {
      try {
        return await sendIfUnchanged(base.etag, fields, request);
      } catch (error) {
        if (isStale(error) && changedAmong(error, fields)) {
          const changed = Object.fromEntries(error.fields.map(({ field, value }) => [field, value]));
          await refresh();
          setConflict({
            message: error.message,
            theirs: { values: read(changed, base.values), etag: error.etag },
          });
          throw new ConflictError(error);
        }
        throw error;
      }
    },
    settle(chosen) {
      if (!conflict) return;
      setStarted(conflict.theirs);
      setEdited(chosen);
      setConflict(null);
    },
  };
}

const differs = (edited: object, values: object) =>
  Object.entries(edited).some(([key, value]) => !sameValue(value, values[key as keyof typeof values]));

/** Values the server reports under the form's own names. */
function merge<V extends object>(changed: Readonly<Record<string, unknown>>, base: V): V {
  const known = Object.entries(changed).filter(([name]) => Object.hasOwn(base, name));
  return { ...base, ...(Object.fromEntries(known) as Partial<V>) };
}
