import { LinkButton } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ApiToken } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useSession, useTeam } from '../../../api/session';
import { DataTable } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { tokensOptions } from './queries';
import { STATES, tokensHref, tokensSearch, type TokensSearch } from './search';
import { tokenColumns } from './tokenColumns';
import { RenameToken, RevokeToken } from './TokenDialogs';
import { TokenVersionDialog } from './TokenVersionDialog';

const Filter = styled('div')({ width: 180 });

type Opened = { kind: 'rename' | 'version' | 'revoke'; token: ApiToken } | null;

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
  // Reads the current row, so an open form notices changes saved elsewhere.
  const token = opened && (tokens?.find(({ id }) => id === opened.token.id) ?? opened.token);
  const columns = useMemo(() => tokenColumns(seesAll), [seesAll]);
  return (
    <>
      <DataTable
        id="tokens"
        noun={['token', 'tokens']}
        columns={columns}
        rows={tokens}
        more={{ list }}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={(row) => [
          {
            id: 'rename',
            label: 'Rename',
            ...(row.owner.id === user?.id ? {} : { disabledReason: 'Only the token’s owner can rename it' }),
            onSelect: () => setOpened({ kind: 'rename', token: row }),
          },
          {
            id: 'version',
            label: 'Change API version',
            ...(row.owner.id === user?.id ? {} : { disabledReason: 'Only the token’s owner can change it' }),
            onSelect: () => setOpened({ kind: 'version', token: row }),
          },
          {
            id: 'revoke',
            label: 'Revoke',
            danger: true,
            ...(row.state === 'revoked' ? { disabledReason: 'Already revoked' } : {}),
            onSelect: () => setOpened({ kind: 'revoke', token: row }),
          },
        ]}
        problem={problemOf(tokens ? null : list.error, 'Couldn’t load the tokens', () => void list.refetch())}
        {...(tokens?.length === 0 && search.state === undefined
          ? {}
          : { filters: <StateFilter search={search} base={base} /> })}
        empty={
          search.state === undefined ? (
            <EmptyState picture="tokens" title="No tokens yet">
              A token lets a program or the command line act for you in this team. Create one per program so
              you can revoke each separately.
            </EmptyState>
          ) : (
            <EmptyState
              picture="search"
              title={`No ${search.state} tokens`}
              action={<LinkButton href={tokensHref(base, {})}>Show all</LinkButton>}
            >
              No tokens match this filter.
            </EmptyState>
          )
        }
      />
      {token && opened.kind === 'rename' && (
        <RenameToken teamSlug={teamSlug} token={token} onClose={() => setOpened(null)} />
      )}
      {token && opened.kind === 'version' && (
        <TokenVersionDialog teamSlug={teamSlug} token={token} onClose={() => setOpened(null)} />
      )}
      {token && opened.kind === 'revoke' && (
        <RevokeToken teamSlug={teamSlug} token={token} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function StateFilter({ search, base }: { search: TokensSearch; base: string }) {
  const navigate = useNavigate();
  return (
    <Filter>
      <SelectInput
        label="Status"
        value={search.state ?? ''}
        choices={[
          { value: '', label: 'Any status' },
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
