import FilterListRounded from '@mui/icons-material/FilterListRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useListContext, useReference } from 'react-admin';
import { FilterChips } from '../../console/ui/data/FilterChips';
import { controlStyle } from '../../console/ui/forms/Field';
import { size, space } from '../../console/ui/theme';
import { titleOf, type AdminRecord } from '../record';
import { findResource } from '../schema/resources';
import type { ResourceDescription } from '../schema/types';
import { plain } from '../schema/value';
import { chipsOf, offeredFilters, type Chip, type Values } from './filterValues';

const FilterPanel = lazy(() => import('./FilterPanel').then((m) => ({ default: m.FilterPanel })));

const Root = styled('div')({ display: 'grid', gap: space(2) });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });
const Search = styled('input')({
  ...controlStyle,
  flex: '1 1 128px',
  maxWidth: 240,
  height: size.controlSmall,
  '@media (pointer: coarse)': { fontSize: '16px', height: size.controlLarge },
});

/** Search box, the filters of the document in a panel, and those in force as chips. */
export function Filters({ resource, fixed }: { resource: ResourceDescription; fixed: Values }) {
  const { filterValues, setFilters } = useListContext();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const values = filterValues as Values;
  const offered = offeredFilters(resource, fixed);
  const set = (changes: Values) =>
    setFilters(
      Object.fromEntries(
        Object.entries({ ...values, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
      ),
    );
  const chips = useNamed(resource, values, chipsOf(resource, values));
  return (
    <Root>
      <Row>
        <SearchBox label={`Search ${resource.label}`} value={plain(values.q)} onSearch={(q) => set({ q })} />
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
        {anchor && (
          <Suspense>
            <FilterPanel
              anchor={anchor}
              fields={offered}
              values={values}
              onChange={set}
              onClose={() => setAnchor(null)}
            />
          </Suspense>
        )}
      </Row>
      <FilterChips
        filters={chips}
        onRemove={(name) => set({ [name]: undefined })}
        onClear={() => setFilters({})}
      />
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

/** Of a reference the record's name. At most one reference is looked up per chip row. */
function useNamed(resource: ResourceDescription, values: Values, chips: Chip[]): Chip[] {
  const field = resource.filters.find(
    ({ type, name }) => type === 'reference' && ['string', 'number'].includes(typeof values[name]),
  );
  const target = findResource(field?.reference ?? '');
  const { referenceRecord } = useReference<AdminRecord>({
    reference: target?.name ?? resource.name,
    id: field ? (values[field.name] as string | number) : (undefined as unknown as string),
    options: { enabled: field !== undefined && target !== undefined },
  });
  if (!target || !referenceRecord) return chips;
  return chips.map((chip) =>
    chip.id === field?.name ? { ...chip, value: titleOf(target, referenceRecord) } : chip,
  );
}
