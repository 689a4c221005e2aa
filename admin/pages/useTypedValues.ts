import { useEffect, useRef, useState } from 'react';
import { differences } from '../../console/lib/fieldConflict';
import type { AdminRecord } from '../record';
import type { FieldDescription } from '../schema/types';

type Fields = readonly Pick<FieldDescription, 'name'>[];

/** Whether saving would overwrite another user's change to a field that this user changed, too. */
export const overwrites = (
  fields: Fields,
  { was, now, values }: { was: AdminRecord; now: AdminRecord; values: Record<string, unknown> },
): boolean =>
  differences(
    fields.map(({ name }) => name),
    was,
    now,
    values,
  ).some(({ disputed }) => disputed);

/**
 * Keeps typed values when the form's record is read again.
 * @param failure why the form couldn't be saved, if so
 */
export function useTypedValues(record: AdminRecord | undefined, failure: unknown) {
  const [isDirty, setIsDirty] = useState(false);
  const [was, setWas] = useState(record);
  if (!isDirty && was !== record) setWas(record);
  const isSaving = useRef(false);
  // After saving, the form takes all of the record's values, so that it counts as saved and can be left. Read at
  // each reset.
  const [resetOptions] = useState(() => ({
    get keepDirtyValues() {
      return !isSaving.current;
    },
    // Otherwise a form with kept values would count as saved.
    get keepDirty() {
      return !isSaving.current;
    },
  }));
  useEffect(() => {
    if (failure !== undefined) isSaving.current = false;
  }, [failure]);
  return {
    /** The record when the user started typing; until then, the newest. */
    was,
    /** For react-admin's Form. */
    resetOptions,
    /** Called with whether the form has unsaved values. */
    setIsDirty,
    /** Called with whether the form is being saved. */
    setIsSaving: (saving: boolean) => {
      isSaving.current = saving;
    },
  };
}
