import { Popover } from '../../console/ui/mui/Popover';
import styled from '@emotion/styled';
import { SelectInput } from '../../console/ui/forms/SelectInput';
import { space, type } from '../../console/ui/theme';
import { ReferenceInput } from '../schema/ReferenceInput';
import { findResource } from '../schema/resources';
import type { FieldDescription } from '../schema/types';
import { desiredLabel } from '../schema/observed';
import { choiceLabel, fromControl, plain, toControl } from '../schema/value';
import { mayWith, useSession } from '../session';
import { CommitOnBlurInput } from './CommitOnBlurInput';
import { from, isRange, to, type Values } from './filterValues';
import { UnlistedReferenceFilter } from './UnlistedReferenceFilter';
import { ownValue } from '../../console/lib/ownValue';

const Panel = styled('div')({
  display: 'grid',
  gap: space(4),
  width: 300,
  maxWidth: '100%',
  padding: space(4),
});
const Ends = styled('fieldset')({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: space(2),
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
  '&[data-long]': { gridTemplateColumns: '1fr' },
});
const Name = styled('legend')({
  ...type.small,
  fontWeight: 550,
  padding: 0,
  marginBottom: space(1),
});

interface Props {
  anchor: HTMLElement;
  fields: readonly FieldDescription[];
  values: Values;
  onChange: (changes: Values) => void;
  onClose: () => void;
}

/** Filters of a list, applied immediately. */
export function FilterPanel({ anchor, fields, values, onChange, onClose }: Props) {
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': 'Filters' } }}
    >
      <Panel>
        {fields.map((field) => (
          <FilterInput key={field.name} field={field} values={values} onChange={onChange} />
        ))}
      </Panel>
    </Popover>
  );
}

interface InputProps {
  field: FieldDescription;
  values: Values;
  onChange: (changes: Values) => void;
}

function FilterInput({ field, values, onChange }: InputProps) {
  const { platform_permissions } = useSession();
  const value = ownValue(values, field.name);
  const set = (chosen: unknown) => onChange({ [field.name]: chosen });
  const target = findResource(field.reference ?? '');
  if (target && mayWith(platform_permissions, target.permissions.list))
    return (
      <ReferenceInput
        field={{ ...field, nullable: false }}
        raw={value}
        error={undefined}
        attach={() => undefined}
        around={{ label: field.label }}
        bound={{
          name: field.name,
          value: plain(value),
          onChange: set,
          onBlur: () => undefined,
        }}
      />
    );
  if (target) return <UnlistedReferenceFilter label={field.label} target={target} value={value} set={set} />;
  if (isRange(field)) return <RangeFilter field={field} values={values} onChange={onChange} />;
  const choices =
    field.type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.choices?.map((choice) => ({
          value: choice,
          label: choiceLabel(choice, field.words),
        }));
  if (!choices)
    return (
      <CommitOnBlurInput
        label={field.label}
        help="Exact match"
        value={plain(value)}
        onCommit={(text) => set(text)}
      />
    );
  return (
    <SelectInput
      label={desiredLabel(field)}
      choices={choices}
      placeholder="Any"
      value={value === undefined || value === null ? '' : String(value)}
      onChange={({ target: { value: chosen } }) =>
        set(chosen === '' ? undefined : field.type === 'boolean' ? chosen === 'true' : chosen)
      }
    />
  );
}

/** From and to; either may be empty. */
function RangeFilter({ field, values, onChange }: InputProps) {
  const isTime = field.type === 'time';
  const end = (label: string, key: string) => (
    <CommitOnBlurInput
      key={String(ownValue(values, key))}
      label={label}
      value={String(toControl(field, ownValue(values, key)))}
      {...(isTime ? { type: 'datetime-local' } : { inputMode: 'decimal' as const })}
      onCommit={(text) => {
        const value = text === '' ? undefined : fromControl({ ...field, nullable: false }, text);
        // Text that isn't a number stays in the input and isn't applied.
        if (isTime || field.type === 'money' || value === undefined || typeof value === 'number')
          onChange({ [key]: value });
      }}
    />
  );
  return (
    <Ends data-long={isTime || undefined}>
      <Name>{field.label}</Name>
      {end('From', from(field.name))}
      {end('To', to(field.name))}
    </Ends>
  );
}
