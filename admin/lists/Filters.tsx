import ListFilterIcon from 'lucide-react/icons/list-filter';
import { Button } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { Suspense, useState } from 'react';
import { useListContext, useReference } from 'react-admin';
import { FilterChips } from '../../console/ui/data/FilterChips';
import { controlStyle } from '../../console/ui/forms/Field';
import { size, space } from '../../console/ui/theme';
import { titleOf, type AdminRecord } from '../record';
import { findResource } from '../schema/resources';
import type { ResourceDescription } from '../schema/types';
import { plain } from '../schema/value';
import { chipsOf, offeredFilters, type Chip, type Values } from './filterValues';
import { ownValue } from '../../console/lib/ownValue';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';
import { useTypedSearch } from '../../console/ui/useTypedSearch';

const FilterPanel = lazyWithRetry(() => import('./FilterPanel').then((m) => ({ default: m.FilterPanel })));

const Root = styled('div')({ display: 'grid', gap: space(2) });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });
const Search = styled('input')({
  ...controlStyle,
  flex: '1 1 128px',
  maxWidth: 240,
  height: size.controlSmall,
  '@media (pointer: coarse)': { fontSize: '16px', height: size.controlLarge },
});

/** Search box, filter panel, and active filters as chips. */
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
        <SearchBox label={`Search ${resource.label}`} query={plain(values.q)} onSearch={(q) => set({ q })} />
        {offered.length > 0 && (
          <Button
            size="small"
            startIcon={<ListFilterIcon />}
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

function SearchBox({
  label,
  query,
  onSearch,
}: {
  label: string;
  query: string;
  onSearch: (query: string | undefined) => void;
}) {
  const [typed, setTyped] = useTypedSearch(query === '' ? undefined : query, onSearch);
  return (
    <Search
      type="search"
      aria-label={label}
      placeholder="Search"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

/** Shows a reference by its record's name. Looks up at most one reference. */
function useNamed(resource: ResourceDescription, values: Values, chips: Chip[]): Chip[] {
  const field = resource.filters.find(
    ({ type, name }) => type === 'reference' && ['string', 'number'].includes(typeof ownValue(values, name)),
  );
  const target = findResource(field?.reference ?? '');
  const { referenceRecord } = useReference<AdminRecord>({
    reference: target?.name ?? resource.name,
    id: field ? (ownValue(values, field.name) as string | number) : (undefined as unknown as string),
    options: { enabled: field !== undefined && target !== undefined },
  });
  if (!target || !referenceRecord) return chips;
  return chips.map((chip) =>
    chip.id === field?.name ? { ...chip, value: titleOf(target, referenceRecord) } : chip,
  );
}
