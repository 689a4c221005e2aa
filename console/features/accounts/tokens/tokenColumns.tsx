import styled from '@emotion/styled';
import { useCallback } from 'react';
import type { ApiToken } from '../../../../generated/api/types.gen';
import { describeScope, scopeName } from '../../../api/scopes';
import { useClock } from '../../../ui/data/clock';
import type { Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { color, type } from '../../../ui/theme';
import { endsSoon } from './expiry';

const Mono = styled('span')({ ...type.mono, color: color.muted });
const Ended = styled('span')({ color: color.faint });

const scopesTitle = (scopes: readonly string[]) => scopes.map(describeScope).join('\n');

function State({ token }: { token: ApiToken }) {
  if (token.state === 'active')
    return (
      <ToneChip quiet tone="ok" glyph="check">
        Active
      </ToneChip>
    );
  if (token.state === 'expired')
    return (
      <ToneChip quiet tone="attention" glyph="warning">
        Expired
      </ToneChip>
    );
  return (
    <ToneChip quiet tone="neutral" glyph="archived">
      Revoked
    </ToneChip>
  );
}

function Expiry({ state, expires_at }: ApiToken) {
  const soon = useClock(
    useCallback((now: number) => (endsSoon(expires_at, now) ? 'soon' : ''), [expires_at]),
  );
  if (expires_at === null) return state === 'revoked' ? <Ended>—</Ended> : <span>does not expire</span>;
  if (state === 'active' && soon !== '')
    return (
      <ToneChip quiet tone="attention" glyph="warning">
        <RelativeTime at={expires_at} />
      </ToneChip>
    );
  return <RelativeTime at={expires_at} />;
}

/** Admins and owners see all members' tokens, so their table names the owner. */
export function tokenColumns(withOwner: boolean): Column<ApiToken>[] {
  const columns: (Column<ApiToken> | false)[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name, kind }) => (
        <span title={name}>
          {name}
          {kind === 'cli' && ' (command line)'}
        </span>
      ),
    },
    { id: 'state', header: 'Status', width: 104, phone: 'end', cell: (token) => <State token={token} /> },
    withOwner && {
      id: 'owner',
      header: 'Owner',
      width: 120,
      phone: 'meta',
      cell: ({ owner }) => <span title={owner.username ?? ''}>{owner.username ?? '—'}</span>,
    },
    {
      id: 'prefix',
      header: 'Preview',
      width: 176,
      priority: 3,
      phone: 'hide',
      defaultHidden: true,
      cell: ({ prefix }) => <Mono>{prefix}</Mono>,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      width: 132,
      priority: 2,
      phone: 'meta',
      cell: ({ scopes }) => <span title={scopesTitle(scopes)}>{scopes.map(scopeName).join(', ')}</span>,
    },
    {
      id: 'version',
      header: 'API version',
      width: 112,
      priority: 3,
      phone: 'hide',
      cell: ({ default_version }) => default_version ?? 'Server default',
    },
    { id: 'expires', header: 'Expires', width: 116, phone: 'meta', cell: (token) => <Expiry {...token} /> },
    {
      id: 'used',
      header: 'Last used',
      width: 148,
      phone: 'meta',
      cell: ({ last_used_at, last_used_from }) =>
        last_used_at === null ? (
          'never used'
        ) : (
          <span title={last_used_from ?? undefined}>
            <RelativeTime at={last_used_at} />
            {last_used_from !== null && <Ended> · {last_used_from}</Ended>}
          </span>
        ),
    },
    {
      id: 'created',
      header: 'Created',
      width: 104,
      priority: 3,
      phone: 'hide',
      defaultHidden: true,
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
  ];
  return columns.filter((column) => column !== false);
}
