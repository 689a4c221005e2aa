import { Button } from '../../../ui/controls/Button';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Member, TeamRole } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useTeam } from '../../../api/session';
import { membersPath } from '../../../lib/paths';
import { DataTable } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { SearchInput } from '../../../ui/forms/SearchInput';
import { useTypedSearch } from '../../../ui/useTypedSearch';
import { ChangeRole, RemoveMember } from './MemberDialogs';
import { memberColumns } from './memberColumns';
import { isOnlyOwner, membersOptions, ONLY_OWNER } from './queries';
import { roleChangeProblem } from './roleChange';
import { membersHref } from './search';

type Opened = { kind: 'role'; member: Member; to: TeamRole } | { kind: 'remove'; member: Member } | null;

interface Props {
  teamSlug: string;
  /** The search in the address. */
  search: string | undefined;
}

export function MembersTable({ teamSlug, search }: Props) {
  const team = useTeam(teamSlug);
  const navigate = useNavigate();
  const [typed, setTyped] = useTypedSearch(
    search,
    (q) => void navigate({ href: membersHref(teamSlug, { q }), replace: true, resetScroll: false }),
  );
  const q = search ?? '';
  const list = useInfiniteQuery({ ...membersOptions(teamSlug, q), placeholderData: keepPreviousData });
  const members = list.data?.pages.flatMap((page) => page.data);
  const [opened, setOpened] = useState<Opened>(null);
  const columns = useMemo(
    () => memberColumns(team.role, (member, to) => setOpened({ kind: 'role', member, to })),
    [team.role],
  );
  return (
    <>
      <DataTable
        id="members"
        noun={['member', 'members']}
        columns={columns}
        rows={members}
        more={{ list, label: 'Show more' }}
        rowId={({ id }) => id}
        rowName={({ username }) => username}
        rowActions={(member) => {
          const fault = roleChangeProblem(member, team.role);
          if (member.is_you)
            return [
              member.role === 'owner' && q === '' && isOnlyOwner(members)
                ? { id: 'leave', label: 'Leave team', disabledReason: ONLY_OWNER }
                : { id: 'leave', label: 'Leave team', href: membersPath(teamSlug, 'settings') },
            ];
          return [
            {
              id: 'remove',
              label: 'Remove from team',
              danger: true,
              ...(fault === null ? {} : { disabledReason: fault }),
              onSelect: () => setOpened({ kind: 'remove', member }),
            },
          ];
        }}
        refreshing={list.isPlaceholderData}
        problem={problemOf(
          members ? null : list.error,
          'Couldn’t load the members',
          () => void list.refetch(),
        )}
        filters={
          <SearchInput
            label="Search members"
            placeholder="Name or email"
            maxLength={100}
            value={typed}
            onChange={setTyped}
          />
        }
        empty={
          <EmptyState
            picture="search"
            title="No matches"
            action={<Button onClick={() => setTyped('')}>Clear search</Button>}
          >
            The search covers names and email addresses.
          </EmptyState>
        }
      />
      {opened?.kind === 'role' && (
        <ChangeRole
          teamSlug={teamSlug}
          member={opened.member}
          to={opened.to}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.kind === 'remove' && (
        <RemoveMember teamSlug={teamSlug} member={opened.member} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
