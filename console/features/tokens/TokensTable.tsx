import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ApiToken } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useSession, useTeam } from '../../api/session';
import { LinkButton } from '../../ui/controls/LinkButton';
import { DataTable } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { SelectInput } from '../../ui/forms/SelectInput';
import { space } from '../../ui/theme';
import { tokensOptions } from './queries';
import { STATES, tokensHref, tokensSearch, type TokensSearch } from './search';
import { tokenColumns } from './tokenColumns';
import { RenameToken, RevokeToken } from './TokenDialogs';

const Filter = styled('div')({ width: 180 });
const More = styled('div')({ paddingTop: space(3) });

type Opened = { kind: 'rename' | 'revoke'; token: ApiToken } | null;

interface Props {
  teamSlug: string;
  search: TokensSearch;
  base: string;
}

export function TokensTable({ teamSlug, search, base }: Props) {
  const { role } = useTeam(teamSlug);
  const { user } = useSession();
  const seesAll = role === 'admin' || role === 'owner';
  const list = useInfiniteQuery(tokensOptions(teamSlug, search.state));
  const tokens = list.data?.pages.flatMap((page) => page.data);
  const [opened, setOpened] = useState<Opened>(null);
  const columns = useMemo(() => tokenColumns(seesAll), [seesAll]);
  return (
    <>
      <DataTable
        id="tokens"
        label={tokens?.length === 1 ? 'token' : 'tokens'}
        columns={columns}
        rows={tokens}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={(token) => [
          {
            id: 'rename',
            label: 'Rename',
            ...(token.owner.id === user?.id ? {} : { disabledReason: 'Only its owner renames it' }),
            onSelect: () => setOpened({ kind: 'rename', token }),
          },
          {
            id: 'revoke',
            label: 'Revoke',
            danger: true,
            ...(token.state === 'revoked' ? { disabledReason: 'It is revoked' } : {}),
            onSelect: () => setOpened({ kind: 'revoke', token }),
          },
        ]}
        problem={problemOf(
          tokens ? null : list.error,
          'The tokens could not be read',
          () => void list.refetch(),
        )}
        filters={<StateFilter search={search} base={base} />}
        empty={
          search.state === undefined ? (
            <EmptyState title="No tokens">
              A token lets a program or the command line act for you in this team. Make one for each program,
              so that each can be revoked alone.
            </EmptyState>
          ) : (
            <EmptyState
              title={`No ${search.state} tokens`}
              action={<LinkButton href={tokensHref(base, {})}>Show all</LinkButton>}
            >
              None of your tokens is in this state.
            </EmptyState>
          )
        }
      />
      {list.hasNextPage && (
        <More>
          <Button size="small" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {list.isFetchingNextPage ? 'Reading…' : 'Show older'}
          </Button>
        </More>
      )}
      {opened?.kind === 'rename' && (
        <RenameToken teamSlug={teamSlug} token={opened.token} onClose={() => setOpened(null)} />
      )}
      {opened?.kind === 'revoke' && (
        <RevokeToken teamSlug={teamSlug} token={opened.token} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function StateFilter({ search, base }: { search: TokensSearch; base: string }) {
  const navigate = useNavigate();
  return (
    <Filter>
      <SelectInput
        label="State"
        value={search.state ?? ''}
        choices={[
          { value: '', label: 'Any state' },
          ...Object.entries(STATES).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) =>
          void navigate({
            href: tokensHref(base, tokensSearch({ state: event.target.value })),
            resetScroll: false,
          })
        }
      />
    </Filter>
  );
}
