import { useEffect, useEffectEvent, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { FieldConflict } from '../../console/ui/forms/FieldConflict';
import { differences, sameValue } from '../../console/lib/fieldConflict';
import { ownValue } from '../../console/lib/ownValue';
import { problemOf } from '../http';
import type { AdminRecord } from '../record';
import { Fact } from '../schema/Fact';
import type { FieldDescription } from '../schema/types';

interface Props {
  fields: readonly FieldDescription[];
  /** The record when the user started editing. */
  was: AdminRecord;
  /** Loads the current record. */
  read: () => Promise<AdminRecord>;
  /** Called with the user's remaining changes. */
  onSettled: (values: Record<string, unknown>) => Promise<void>;
}

/** Field-by-field resolution of an edit conflict. */
export function Conflict({ fields, was, read, onSettled }: Props) {
  const { getValues } = useFormContext();
  const [theirs, setTheirs] = useState<AdminRecord>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [typed] = useState(() => getValues() as Record<string, unknown>);
  const readTheirs = useEffectEvent(read);
  useEffect(() => {
    let current = true;
    readTheirs().then(
      (found) => current && setTheirs(found),
      (error: unknown) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [attempt]);
  if (failure !== undefined) {
    const retry = () => {
      setFailure(undefined);
      setAttempt(attempt + 1);
    };
    return <ErrorNotice problem={problemOf(failure, 'Couldn’t reload the record', retry)} />;
  }
  if (!theirs) return <Bar w="60%" />;
  const describe = (name: string) => fields.find((field) => field.name === name);
  return (
    <FieldConflict
      found={differences(
        fields.map(({ name }) => name),
        was,
        theirs,
        // Values that the form took over from a later read aren't the user's changes.
        Object.fromEntries(
          Object.entries(typed).filter(([name, value]) => !sameValue(value, ownValue(theirs, name))),
        ),
      )}
      label={(name) => describe(name)?.label ?? name}
      show={(name, value, whose) => {
        const field = describe(name);
        if (!field) return null;
        if (field.type === 'secret') return value === undefined || value === '' ? 'Unchanged' : 'New value';
        return <Fact field={field} value={value} record={whose === 'was' ? was : theirs} />;
      }}
      onSettled={(mine) => void onSettled(mine)}
    />
  );
}
