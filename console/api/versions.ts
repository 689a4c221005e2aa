import { useState } from 'react';
import { sameValue } from '../lib/fieldConflict';
import { ConflictError, isApiError, type ApiError } from './apiError';

/** The edited values, and the version of the resource they were read from. */
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
 * Sends a change to `fields` based on version `etag`. Other users' changes to other fields don't block it: it is
 * resent based on their version. Rejects with the 412 if one of `fields` has changed.
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
  /**
   * Sends a change to these values. If another user changed one of them first, sets `conflict` and rejects with a
   * ConflictError.
   */
  send: <T>(request: Request<T>) => Promise<T>;
  conflict: { message: string; theirs: Version<V> } | null;
  /** Continues from the other user's version with these values. */
  settle: (values: V) => void;
}

/** Why a form can't be sent while it shows a conflict. */
export const conflictReason = (form: { conflict: object | null }): string | undefined =>
  form.conflict === null ? undefined : 'Resolve the conflict above first.';

interface Options<V> {
  /** The server's names for the values, if they differ from the form's. */
  fields?: readonly string[];
  /** Converts the values reported by a 412 to the form's values. */
  read?: (changed: Readonly<Record<string, unknown>>, base: V) => V;
  /** Reloads the resource that the form is based on. */
  refresh: () => Promise<unknown>;
}

/**
 * Form state for a resource that others also edit. Untouched, it follows `latest`; once edited, it keeps its
 * initial version, so that a refetch neither overwrites it nor hides another user's change.
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
