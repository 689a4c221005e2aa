import { useId } from 'react';
import { useGetList } from 'react-admin';
import { TextInput } from '../../console/ui/forms/TextInput';
import type { FieldProps } from '../../console/ui/forms/Field';
import { ownValue } from '../../console/lib/ownValue';
import type { AdminRecord } from '../record';
import type { ControlProps } from './Input';
import { getResource } from './resources';
import { fromControl } from './value';

const MAX_RECORDS = 200;

/** Text input that suggests values from other records; new values can be entered, too. */
export function SuggestInput({ field, bound, attach, around }: ControlProps & { around: FieldProps }) {
  const list = useId();
  const resource = getResource(field.suggest ?? '');
  const { data = [] } = useGetList<AdminRecord>(
    resource.name,
    { pagination: { page: 1, perPage: MAX_RECORDS }, sort: { field: field.name, order: 'ASC' } },
    { onError: () => undefined },
  );
  const values = new Set(data.map((record) => String(ownValue(record, field.name) ?? '')));
  values.delete('');
  return (
    <>
      <TextInput
        {...around}
        name={bound.name}
        value={String(bound.value)}
        onChange={({ target }) => bound.onChange(fromControl(field, target.value))}
        onBlur={bound.onBlur}
        ref={attach}
        list={list}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={list}>
        {[...values].map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </datalist>
    </>
  );
}
