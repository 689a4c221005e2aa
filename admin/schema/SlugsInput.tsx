import styled from '@emotion/styled';
import XIcon from 'lucide-react/icons/x';
import { IconAction } from '../../console/ui/controls/IconAction';
import { Field, type FieldProps } from '../../console/ui/forms/Field';
import { useAutocomplete } from '../../console/ui/mui/useAutocomplete';
import { color, radius, space, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import type { ControlProps } from './Input';
import { Box } from './pickerStyles';
import { pickerOptions, RecordPicker, useRecordSearch } from './RecordPicker';
import { getResource } from './resources';

const Chosen = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(1.5),
  paddingBottom: space(1.5),
  '&:empty': { display: 'none' },
});
const Chip = styled('li')({
  ...type.small,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(1),
  padding: `0 0 0 ${space(2)}`,
  borderRadius: radius.control,
  backgroundColor: color.neutralSoft,
  overflowWrap: 'anywhere',
});
const Slug = styled('span')({ ...type.small, color: color.muted, marginLeft: space(2) });

const slugOf = (record: AdminRecord) => String(record.slug);

/** Chooses several records by name and keeps their slugs, with server-side search. */
export function SlugsInput({ field, bound, attach, raw, around }: ControlProps & { around: FieldProps }) {
  const resource = getResource(field.reference ?? '');
  const slugs = Array.isArray(raw) ? raw.map(String) : [];
  const { typed, setTyped, q, data } = useRecordSearch(resource);
  const auto = useAutocomplete<AdminRecord>({
    ...pickerOptions(resource),
    id: `slugs-${field.name}`,
    options: data.filter((record) => !slugs.includes(slugOf(record))),
    value: null,
    inputValue: typed,
    onChange: (_event, record) => {
      if (record) bound.onChange([...slugs, slugOf(record)]);
      setTyped('');
    },
    onInputChange: (_event, text, reason) => reason === 'input' && setTyped(text),
  });
  return (
    <Field {...around} id={auto.getInputProps().id}>
      {(control) => (
        <Box {...auto.getRootProps()}>
          <Chosen aria-label={`Selected ${resource.plural}`}>
            {slugs.map((slug) => (
              <Chip key={slug}>
                {slug}
                <IconAction
                  size="small"
                  label={`Remove ${slug}`}
                  onClick={() => bound.onChange(slugs.filter((one) => one !== slug))}
                >
                  <XIcon />
                </IconAction>
              </Chip>
            ))}
          </Chosen>
          <RecordPicker
            auto={auto}
            resource={resource}
            control={{ ...control, name: bound.name }}
            attach={attach}
            none={q === '' ? `No other ${resource.plural}` : 'No matches'}
            detail={(record) => <Slug>{slugOf(record)}</Slug>}
          />
        </Box>
      )}
    </Field>
  );
}
