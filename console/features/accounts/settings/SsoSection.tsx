import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unlinkSsoMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { AccountSsoLink } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { useToast } from '../../../ui/feedback/toasts';
import { Panel } from '../../../ui/layout/Panel';
import { Loaded } from './Loaded';
import { accountOptions } from './queries';

const columns: Column<AccountSsoLink>[] = [
  { id: 'team', header: 'Team', cell: ({ team_name }) => <span title={team_name}>{team_name}</span> },
  {
    id: 'domain',
    header: 'Domain',
    width: 220,
    phone: 'meta',
    cell: ({ domain }) => <span title={domain}>{domain}</span>,
  },
  {
    id: 'linked',
    header: 'Linked',
    width: 130,
    phone: 'hide',
    cell: ({ linked_at }) => <RelativeTime at={linked_at} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 130,
    phone: 'meta',
    cell: ({ last_used_at }) => <RelativeTime at={last_used_at} />,
  },
];

/** Team sign-in providers linked to this account. */
export function SsoSection() {
  const account = useQuery(accountOptions());
  const [unlinking, setUnlinking] = useState<AccountSsoLink | null>(null);
  return (
    <Panel title="Linked providers">
      <Loaded query={account} what="your linked providers">
        {({ sso }) => (
          <DataTable
            id="sso-links"
            noun={['provider', 'providers']}
            columns={columns}
            rows={sso}
            rowId={({ id }) => id}
            rowName={({ team_name }) => team_name}
            rowActions={(link) => [
              { id: 'unlink', label: 'Unlink', danger: true, onSelect: () => setUnlinking(link) },
            ]}
            empty={
              <EmptyState>
                No linked providers. When you sign in through a team’s single sign-on, it appears here.
              </EmptyState>
            }
          />
        )}
      </Loaded>
      {unlinking && <Unlink link={unlinking} onClose={() => setUnlinking(null)} />}
    </Panel>
  );
}

function Unlink({ link, onClose }: { link: AccountSsoLink; onClose: () => void }) {
  const stale = useStale();
  const toast = useToast();
  const unlink = useMutation({
    ...unlinkSsoMutation(),
    onSuccess: async () => {
      await stale('getAccount', 'listAccountSessions');
      toast({ tone: 'ok', title: `Unlinked ${link.team_name}’s single sign-on` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Unlink ${link.team_name}’s single sign-on?`}
      confirmLabel="Unlink"
      effects={[
        'The provider can no longer sign you in. Sessions opened through it end.',
        'API tokens created in those sessions are revoked.',
        `You stay a member of ${link.team_name}. To link again, confirm with your password or passkey.`,
      ]}
      pending={unlink.isPending}
      problem={problemOf(unlink.error, 'Couldn’t unlink the provider')}
      onConfirm={() => unlink.mutate({ path: { connection_id: link.id } })}
      onClose={onClose}
    />
  );
}
