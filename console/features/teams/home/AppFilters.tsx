import ChevronsUpDownIcon from 'lucide-react/icons/chevrons-up-down';
import styled from '@emotion/styled';
import { useNavigate } from '@tanstack/react-router';
import { FilterChips, type Filter } from '../../../ui/data/FilterChips';
import { controlStyle } from '../../../ui/forms/Field';
import { SearchInput } from '../../../ui/forms/SearchInput';
import { Row } from '../../../ui/layout/Row';
import { color, size } from '../../../ui/theme';
import { useTypedSearch } from '../../../ui/useTypedSearch';
import { STATUS_FILTERS, teamHomeHref, type StatusFilter, type TeamHomeSearch } from './search';

const Box = styled('div')({
  position: 'relative',
  minWidth: 0,
  display: 'flex',
  alignItems: 'center',
  '& svg': { position: 'absolute', right: 8, fontSize: 16, color: color.muted, pointerEvents: 'none' },
});
const Select = styled('select')({
  ...controlStyle,
  width: 'auto',
  height: size.controlSmall,
  appearance: 'none',
  paddingRight: 30,
});

/** Search and status filter. Both live in the address, so lists can be linked and Back works. */
export function AppFilters({ base, search }: { base: string; search: TeamHomeSearch }) {
  const navigate = useNavigate();
  const { page: _page, ...kept } = search;
  const go = (next: TeamHomeSearch, replace = false) =>
    void navigate({ href: teamHomeHref(base, next), replace, resetScroll: false });
  // Typing adds no history entries.
  const [typed, setTyped] = useTypedSearch(search.q, (q) => go({ ...kept, q }, true));

  const filters: Filter[] = [
    ...(search.q === undefined ? [] : [{ id: 'q', label: 'Contains', value: search.q }]),
    ...(search.status === undefined
      ? []
      : [{ id: 'status', label: 'Status', value: STATUS_FILTERS[search.status].label }]),
  ];

  return (
    <Row>
      <SearchInput
        label="Search apps"
        placeholder="Name or ID"
        maxLength={200}
        value={typed}
        onChange={setTyped}
      />
      <Box>
        <Select
          aria-label="Status"
          value={search.status ?? ''}
          onChange={(event) => {
            const { status: _status, ...rest } = kept;
            const status = event.target.value;
            go(status === '' ? rest : { ...rest, status: status as StatusFilter });
          }}
        >
          <option value="">Any status</option>
          {Object.entries(STATUS_FILTERS).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <ChevronsUpDownIcon aria-hidden />
      </Box>
      <FilterChips
        filters={filters}
        onRemove={(id) => {
          const { [id as 'q' | 'status']: _removed, ...rest } = kept;
          go(rest);
        }}
        onClear={() => go({ sort: search.sort, order: search.order })}
      />
    </Row>
  );
}
