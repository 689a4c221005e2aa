import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../generated/api/types.gen';
import { FilterChips, type Filter } from '../../ui/data/FilterChips';
import { DateInput } from '../../ui/forms/DateInput';
import { SelectInput, type Choice } from '../../ui/forms/SelectInput';
import { TextInput } from '../../ui/forms/TextInput';
import { below, space } from '../../ui/theme';
import { useTypedSearch } from '../../ui/useTypedSearch';
import { peopleOptions } from './queries';
import type { AuditTabProps } from './AuditTab';
import type { AuditSearch } from './search';

const Fields = styled('div')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 128px), 1fr))',
  marginBottom: space(3),
});
const Search = styled('div')({ minWidth: 0, [below.phone]: { gridColumn: '1 / -1' } });
const Chips = styled('div')({ marginBottom: space(3), '&:empty': { display: 'none' } });

/** Action prefixes with the names users know them by. */
const SUBJECTS: readonly Choice[] = [
  { value: 'cvm', label: 'CVMs' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'token', label: 'Tokens' },
  { value: 'device', label: 'Command-line logins' },
  { value: 'sso', label: 'Single sign-on' },
  { value: 'scim', label: 'Provisioning' },
  { value: 'session', label: 'Sessions' },
  { value: 'team', label: 'Team' },
  { value: 'audit', label: 'Audit log' },
];

const LABELS: Record<keyof AuditSearch, string> = {
  q: 'Contains',
  actor: 'Actor',
  action: 'Action',
  target: 'Target',
  from: 'From',
  to: 'To',
};

interface Props extends AuditTabProps {
  /** The listed entries, which name actors who are no longer members. */
  entries: readonly AuditEntry[];
}

export function AuditFilters({ slug, search, onSearch, entries }: Props) {
  const { data } = useQuery(peopleOptions(slug));
  const [typed, setTyped] = useTypedSearch(search.q, (q) => onSearch({ ...search, q }, { replace: true }));
  const set = (more: AuditSearch) => onSearch({ ...search, ...more }, { replace: false });

  const members: Choice[] = (data?.data ?? []).map(({ id, username }) => ({ value: id, label: username }));
  const { actor, action } = search;
  if (actor !== undefined && !members.some(({ value }) => value === actor))
    members.push({ value: actor, label: nameOf(actor, entries) });
  const subjects =
    action === undefined || SUBJECTS.some(({ value }) => value === action)
      ? SUBJECTS
      : [...SUBJECTS, { value: action, label: action }];
  const shown: Partial<Record<keyof AuditSearch, string | undefined>> = {
    actor: members.find(({ value }) => value === actor)?.label,
    action: subjects.find(({ value }) => value === action)?.label,
  };
  const filters: Filter[] = (Object.keys(LABELS) as (keyof AuditSearch)[]).flatMap((id) => {
    const value = search[id];
    return value === undefined ? [] : [{ id, label: LABELS[id], value: shown[id] ?? value }];
  });

  return (
    <>
      <Fields role="search" aria-label="Audit log">
        <Search>
          <TextInput
            label="Search"
            type="search"
            placeholder="Name or ID"
            maxLength={100}
            spellCheck={false}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Search>
        <SelectInput
          label="Actor"
          value={actor ?? ''}
          choices={[{ value: '', label: 'Anyone' }, ...members]}
          onChange={(event) => set({ actor: event.target.value || undefined })}
        />
        <SelectInput
          label="Action"
          value={action ?? ''}
          choices={[{ value: '', label: 'Any action' }, ...subjects]}
          onChange={(event) => set({ action: event.target.value || undefined })}
        />
        <DateInput
          label="From"
          value={search.from ?? ''}
          max={search.to}
          onCommit={(from) => set({ from: from || undefined })}
        />
        <DateInput
          label="To"
          value={search.to ?? ''}
          min={search.from}
          onCommit={(to) => set({ to: to || undefined })}
        />
      </Fields>
      <Chips>
        <FilterChips
          filters={filters}
          onRemove={(id) => set({ [id]: undefined })}
          onClear={() => onSearch({}, { replace: false })}
        />
      </Chips>
    </>
  );
}

const nameOf = (actor: string, entries: readonly AuditEntry[]): string =>
  entries.find((entry) => entry.actor.id === actor)?.actor.username ?? actor;
