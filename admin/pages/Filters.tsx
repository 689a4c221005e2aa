import FilterListRounded from '@mui/icons-material/FilterListRounded';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { useListContext, useReference } from 'react-admin';
import { FilterChips } from '../../console/ui/data/FilterChips';
import { controlStyle } from '../../console/ui/forms/Field';
import { SelectInput } from '../../console/ui/forms/SelectInput';
import { TextInput } from '../../console/ui/forms/TextInput';
import { size, space } from '../../console/ui/theme';
import { titleOf, type AdminRecord } from '../record';
import { findResource } from '../schema/resources';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { choiceLabel, plain } from '../schema/value';
import { ReferenceFilter } from './ReferenceFilter';

const Root = styled('div')({ display: 'grid', gap: space(2) });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });
const Search = styled('input')({
  ...controlStyle,
  flex: '1 1 128px',
  maxWidth: 240,
  height: size.controlSmall,
  '@media (pointer: coarse)': { fontSize: '16px', height: size.controlLarge },
});
const Panel = styled('div')({ display: 'grid', gap: space(4), width: 300, padding: space(4) });

type Values = Record<string, unknown>;

/** Search box, the filters of the document in a panel, and those in force as chips. */
export function Filters({ resource, fixed = {} }: { resource: ResourceDescription; fixed?: Values }) {
  const { filterValues, setFilters } = useListContext();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const values = filterValues as Values;
  const offered = resource.filters.filter((field) => !Object.hasOwn(fixed, field.name));
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = values;
    setFilters(value === undefined || value === '' ? rest : { ...rest, [name]: value });
  };
  const chips = useChips(resource, values);
  return (
    <Root>
      <Row>
        <SearchBox label={`Search ${resource.label}`} value={plain(values.q)} onSearch={(q) => set('q', q)} />
        {offered.length > 0 && (
          <Button
            size="small"
            startIcon={<FilterListRounded />}
            aria-haspopup="dialog"
            aria-expanded={anchor !== null}
            onClick={(event) => setAnchor(event.currentTarget)}
          >
            Filter
          </Button>
        )}
        <Popover
          open={anchor !== null}
          anchorEl={anchor}
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': 'Filters' } }}
        >
          <Panel>
            {offered.map((field) => (
              <FilterInput
                key={field.name}
                field={field}
                value={values[field.name]}
                onChange={(value) => set(field.name, value)}
              />
            ))}
          </Panel>
        </Popover>
      </Row>
      <FilterChips filters={chips} onRemove={(name) => set(name, undefined)} onClear={() => setFilters({})} />
    </Root>
  );
}

const PAUSE_MS = 250;

/** Asks when the typing pauses, and follows the address when that changes by itself (Back, Clear). */
function SearchBox({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (q: string) => void;
}) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = wanted;
      latest.current(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Search
      type="search"
      aria-label={label}
      placeholder="Search"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

interface InputProps {
  field: FieldDescription;
  value: unknown;
  onChange: (value: unknown) => void;
}

function FilterInput({ field, value, onChange }: InputProps) {
  if (field.type === 'reference') return <ReferenceFilter field={field} value={value} onChange={onChange} />;
  const choices =
    field.type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.choices?.map((choice) => ({ value: choice, label: choiceLabel(choice) }));
  if (!choices) return <TextFilter field={field} value={value} onChange={onChange} />;
  return (
    <SelectInput
      label={field.label}
      choices={choices}
      placeholder="Any"
      value={plainChoice(value)}
      onChange={({ target }) =>
        onChange(
          target.value === '' ? undefined : field.type === 'boolean' ? target.value === 'true' : target.value,
        )
      }
    />
  );
}

const plainChoice = (value: unknown) => (value === undefined || value === null ? '' : String(value));

/** Exactly this text; counts when one leaves the field or presses Enter, as half a word matches nothing. */
function TextFilter({ field, value, onChange }: InputProps) {
  const [text, setText] = useState(plain(value));
  return (
    <TextInput
      label={field.label}
      help="Exactly this"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onChange(text.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onChange(text.trim())}
    />
  );
}

/** Words for what is in force; of a reference the record's name. At most one reference is looked up per chip row. */
function useChips(resource: ResourceDescription, values: Values) {
  const field = resource.filters.find(
    ({ type, name }) => type === 'reference' && ['string', 'number'].includes(typeof values[name]),
  );
  const target = findResource(field?.reference ?? '');
  const { referenceRecord } = useReference<AdminRecord>({
    reference: target?.name ?? resource.name,
    id: field ? (values[field.name] as string | number) : (undefined as unknown as string),
    options: { enabled: field !== undefined },
  });
  return Object.entries(values).map(([name, value]) => {
    const known = resource.fields.find((candidate) => candidate.name === name);
    const named =
      name === field?.name && target && referenceRecord ? titleOf(target, referenceRecord) : undefined;
    const words = known?.choices
      ? [value]
          .flat()
          .map((one) => choiceLabel(String(one)))
          .join(', ')
      : plain(value);
    return { id: name, label: name === 'q' ? 'Search' : (known?.label ?? name), value: named ?? words };
  });
}
