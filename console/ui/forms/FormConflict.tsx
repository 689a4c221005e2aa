import type { ReactNode } from 'react';
import { differences } from '../../lib/fieldConflict';
import { FieldConflict } from './FieldConflict';
import { ownValue } from '../../lib/ownValue';

interface ConflictingForm<V> {
  /** The form's original values and its current input. */
  base: { values: V };
  values: V;
  conflict: { message: string; theirs: { values: V } } | null;
  settle: (values: V) => void;
}

interface Props<V> {
  form: ConflictingForm<V>;
  labels: Readonly<Partial<Record<keyof V & string, string>>>;
  /** Renders values that aren't text, numbers, booleans or lists of text. */
  show?: Partial<{ [K in keyof V]: (value: V[K]) => ReactNode }>;
}

/** The field diff of a form whose save came too late; renders nothing without a conflict. */
export function FormConflict<V extends object>({ form, labels, show = {} }: Props<V>) {
  const { base, values, conflict } = form;
  if (!conflict) return null;
  const names = Object.keys(labels) as (keyof V & string)[];
  const theirs = conflict.theirs.values;
  const record = (from: V) => from as Readonly<Record<string, unknown>>;
  return (
    <FieldConflict
      found={differences(names, record(base.values), record(theirs), record(values))}
      message={conflict.message}
      label={(name) => ownValue<string | undefined>(labels, name) ?? name}
      show={(name, value) => {
        const own = ownValue(show as Readonly<Record<string, (value: never) => ReactNode>>, name);
        return own ? own(value as never) : plainly(value);
      }}
      onSettled={(mine) => form.settle({ ...theirs, ...(mine as Partial<V>) })}
    />
  );
}

function plainly(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') || 'None' : String(value);
}
