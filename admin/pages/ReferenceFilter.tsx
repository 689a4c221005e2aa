import { useGetList } from 'react-admin';
import { SelectInput } from '../../console/ui/forms/SelectInput';
import { titleOf, type AdminRecord } from '../record';
import { getResource } from '../schema/resources';
import type { FieldDescription } from '../schema/types';

const MOST = 250;

/** Records of the other resource by name; a list long enough for any fleet that fits a select. */
export function ReferenceFilter({
  field,
  value,
  onChange,
}: {
  field: FieldDescription;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const target = getResource(field.reference ?? '');
  const { data = [], total = 0 } = useGetList<AdminRecord>(target.name, {
    pagination: { page: 1, perPage: MOST },
    sort: target.sort,
  });
  return (
    <SelectInput
      label={field.label}
      {...(total > MOST ? { help: `The first ${MOST} of ${total}.` } : {})}
      choices={data.map((record) => ({ value: String(record.id), label: titleOf(target, record) }))}
      placeholder="Any"
      value={value === undefined || value === null ? '' : String(value)}
      onChange={({ target: { value: chosen } }) =>
        onChange(data.find((record) => String(record.id) === chosen)?.id)
      }
    />
  );
}
