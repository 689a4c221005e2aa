import { useReference } from 'react-admin';
import { Field, type FieldProps } from '../../console/ui/forms/Field';
import { useAutocomplete } from '../../console/ui/mui/useAutocomplete';
import type { AdminRecord } from '../record';
import type { ControlProps } from './Input';
import { useOpenRecords } from './openRecords';
import { useOwnTeams } from './ownTeams';
import { Box } from './pickerStyles';
import { pickerOptions, RecordPicker, useRecordSearch } from './RecordPicker';
import { getResource } from './resources';

/** Chooses a referenced record by name, with server-side search. */
export function ReferenceInput({ field, bound, attach, raw, around }: ControlProps & { around: FieldProps }) {
  const resource = getResource(field.reference ?? '');
  const id = typeof raw === 'number' || typeof raw === 'string' ? raw : null;
  const open = useOpenRecords(resource);
  const { referenceRecord } = useReference<AdminRecord>({
    reference: resource.name,
    id: id as string | number,
    options: { enabled: id !== null && id !== '' && open === undefined },
  });
  const chosen = open === undefined ? referenceRecord : open.find((record) => record.id === id);
  const own = useOwnTeams(field.ownPermission);
  const ownOnly = own === undefined ? null : { slug: own };
  const { setTyped, q, data } = useRecordSearch(
    resource,
    field.ownPermission === undefined ? undefined : ownOnly,
  );
  const auto = useAutocomplete<AdminRecord>({
    ...pickerOptions(resource),
    id: `reference-${field.name}`,
    options: data,
    value: id === null || id === '' ? null : (chosen ?? { id }),
    onChange: (_event, record) => bound.onChange(record ? record.id : field.nullable ? null : undefined),
    onInputChange: (_event, text, reason) => setTyped(reason === 'input' ? text : ''),
  });
  return (
    <Field {...around} id={auto.getInputProps().id}>
      {(control) => (
        <Box {...auto.getRootProps()}>
          <RecordPicker
            auto={auto}
            resource={resource}
            control={{ ...control, name: bound.name }}
            attach={attach}
            none={q === '' ? `No ${resource.plural} yet` : 'No matches'}
          />
        </Box>
      )}
    </Field>
  );
}
