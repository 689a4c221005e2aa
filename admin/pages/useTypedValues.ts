import { useEffect, useRef, useState } from 'react';
import { differences } from '../../console/lib/fieldConflict';
import type { AdminRecord } from '../record';
import type { FieldDescription } from '../schema/types';

type Fields = readonly Pick<FieldDescription, 'name'>[];

/** Whether saving the values would replace a change that someone else made to a field that the user changed, too. */
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
 * Keeps what users have typed when their form's record is read again.
 * @param failure why the form couldn't be saved, if it couldn't
 */
export function useTypedValues(record: AdminRecord | undefined, failure: unknown) {
  const [isDirty, setIsDirty] = useState(false);
  const [was, setWas] = useState(record);
  if (!isDirty && was !== record) setWas(record);
  const isSaving = useRef(false);
  // After saving, the form takes all values of the record, so that it counts as saved and can be left. Read at each reset.
  const [resetOptions] = useState(() => ({
    get keepDirtyValues() {
      return !isSaving.current;
    },
    // Otherwise a form with values kept by the above would count as saved.
    get keepDirty() {
      return !isSaving.current;
    },
  }));
  useEffect(() => {
    if (failure !== undefined) isSaving.current = false;
  }, [failure]);
  return {
    /** The record when the user began to type; until then, the newest. */
    was,
    /** For react-admin's Form. */
    resetOptions,
    /** Receives whether the form has values that aren't saved. */
    setIsDirty,
    /** Receives whether the form is being saved. */
    setIsSaving: (saving: boolean) => {
      isSaving.current = saving;
    },
  };
}
