import useAutocomplete from '@mui/material/useAutocomplete';
import { styled } from '@mui/material/styles';
import { useDeferredValue, useState } from 'react';
import { useGetList, useReference } from 'react-admin';
import { controlStyle, Field, type FieldProps } from '../../console/ui/forms/Field';
import { color, radius, shadow, space, type } from '../../console/ui/theme';
import { titleOf, type AdminRecord } from '../record';
import { getResource } from './resources';
import type { ControlProps } from './Input';

const Box = styled('div')({ position: 'relative' });
const Control = styled('input')(controlStyle);
const Options = styled('ul')({
  position: 'absolute',
  zIndex: 10,
  left: 0,
  right: 0,
  top: 'calc(100% + 4px)',
  maxHeight: 280,
  overflowY: 'auto',
  padding: space(1),
  borderRadius: radius.panel,
  backgroundColor: color.raised,
  boxShadow: shadow.raised,
});
const Option = styled('li')({
  ...type.body,
  padding: `${space(1.5)} ${space(2)}`,
  borderRadius: radius.small,
  cursor: 'pointer',
  overflowWrap: 'anywhere',
  '&.Mui-focused': { backgroundColor: color.hover },
  '&[aria-selected="true"]': { backgroundColor: color.selected },
});
const None = styled('p')({ ...type.small, color: color.muted, padding: `${space(1.5)} ${space(2)}` });

/** Which record an id means, chosen by name; the server searches. */
export function ReferenceInput({ field, bound, attach, raw, around }: ControlProps & { around: FieldProps }) {
  const resource = getResource(field.reference ?? '');
  const id = typeof raw === 'number' || typeof raw === 'string' ? raw : null;
  const { referenceRecord } = useReference<AdminRecord>({
    reference: resource.name,
    id: id as string | number,
    options: { enabled: id !== null && id !== '' },
  });
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const { data = [] } = useGetList<AdminRecord>(resource.name, {
    pagination: { page: 1, perPage: 25 },
    sort: resource.sort,
    filter: q === '' ? {} : { q },
  });
  const chosen = id === null || id === '' ? null : (referenceRecord ?? { id });
  const auto = useAutocomplete<AdminRecord>({
    id: `reference-${field.name}`,
    options: data,
    value: chosen,
    getOptionLabel: (record) => titleOf(resource, record),
    isOptionEqualToValue: (a, b) => a.id === b.id,
    // The server has already searched; filtering again would hide what it found by other fields.
    filterOptions: (options) => options,
    onChange: (_event, record) => bound.onChange(record ? record.id : field.nullable ? null : undefined),
    onInputChange: (_event, text, reason) => setTyped(reason === 'input' ? text : ''),
    openOnFocus: true,
  });
  const { ref: anchor, ...input } = auto.getInputProps();
  return (
    <Field {...around} id={input.id}>
      {(control) => (
        <Box {...auto.getRootProps()}>
          <Control
            {...input}
            {...control}
            name={bound.name}
            placeholder={`Search ${resource.plural}`}
            ref={(element) => {
              if (typeof anchor === 'function') anchor(element);
              else if (anchor) anchor.current = element;
              attach(element);
            }}
          />
          {auto.popupOpen && auto.groupedOptions.length > 0 && (
            <Options {...auto.getListboxProps()} aria-label={resource.label}>
              {(auto.groupedOptions as AdminRecord[]).map((record, index) => {
                const { key: _, ...props } = auto.getOptionProps({ option: record, index }) as {
                  key?: unknown;
                } & React.HTMLAttributes<HTMLLIElement>;
                return (
                  <Option {...props} key={record.id}>
                    {titleOf(resource, record)}
                  </Option>
                );
              })}
            </Options>
          )}
          {auto.popupOpen && auto.groupedOptions.length === 0 && (
            <Options as="div" role="status">
              <None>{q === '' ? `There are no ${resource.plural} yet.` : 'Nothing matches.'}</None>
            </Options>
          )}
        </Box>
      )}
    </Field>
  );
}
