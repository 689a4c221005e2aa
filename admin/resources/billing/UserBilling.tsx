import { useQuery } from '@tanstack/react-query';
import type { AdminTeamBilling, AdminUserBilling } from '../../../generated/api/types.gen';
import { LinkButton } from '../../../console/ui/controls/Button';
import { Cost, dollars } from '../../../console/ui/data/Cost';
import { KeyValue, type Fact } from '../../../console/ui/data/KeyValue';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../console/ui/feedback/Skeletons';
import { Panel } from '../../../console/ui/layout/Panel';
import { TextLink } from '../../../console/ui/link';
import { fetchJson, problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { usePermissionRefusal } from '../../session';
import { RecordFrame } from '../RecordFrame';

/** The money of the teams that a user pays for, and where finance staff change it. */
export function UserBilling({ resource }: { resource: ResourceDescription }) {
  return (
    <RecordFrame resource={resource} label="Billing">
      {({ id }) => <Teams userId={id} />}
    </RecordFrame>
  );
}

function Teams({ userId }: { userId: string | number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['user-billing', userId],
    queryFn: async ({ signal }) =>
      (await fetchJson(`/api/v1/admin/users/${userId}/billing`, { signal })).json as AdminUserBilling,
    retry: false,
  });
  if (error)
    return <ErrorNotice problem={problemOf(error, 'Couldn’t load the billing', () => void refetch())} />;
  if (!data) return <RowsSkeleton rows={6} />;
  if (data.teams.length === 0)
    return (
      <EmptyState title="Pays for no team">
        Owners, admins and members in the billing role pay for a team.
      </EmptyState>
    );
  return data.teams.map((team) => <Team key={team.team_id} team={team} />);
}

function Team({ team }: { team: AdminTeamBilling }) {
  const refused = usePermissionRefusal()('admin.billing.write');
  const { team_id, name, slug } = team;
  const below = (resource: string) => `${adminHref.show('workspaces', team_id)}/${resource}`;
  return (
    <Panel
      title={name}
      subtitle={`${slug}, ${team.role}`}
      framed
      actions={
        refused === undefined && (
          <LinkButton size="small" href={`${below('credits')}/create`}>
            Grant credit
          </LinkButton>
        )
      }
    >
      <KeyValue facts={factsOf(team, below)} />
    </Panel>
  );
}

function factsOf(team: AdminTeamBilling, below: (resource: string) => string): Fact[] {
  const { debt_since, stops_at, deletes_at, unpaid_invoices, waiting_payments, pending_actions } = team;
  return [
    { label: 'Prepaid', value: <Cost usd={team.prepaid} /> },
    {
      label: 'Credits',
      value: (
        <TextLink href={below('credits')}>
          <Cost usd={team.credits} />
        </TextLink>
      ),
    },
    { label: 'Post-paid cap', value: <Cost usd={team.post_paid_cap} /> },
    ...(debt_since === null
      ? []
      : [
          {
            label: 'In debt',
            value: (
              <>
                Since <RelativeTime at={debt_since} />
                {stops_at !== null && (
                  <>
                    ; CVMs stop <RelativeTime at={stops_at} />
                  </>
                )}
                {deletes_at !== null && (
                  <>
                    , disks are deleted <RelativeTime at={deletes_at} />
                  </>
                )}
              </>
            ),
          },
        ]),
    {
      label: 'Unpaid invoices',
      value: (
        <TextLink href={below('invoices')}>
          {unpaid_invoices === 0 ? 'None' : `${unpaid_invoices}, ${dollars(team.unpaid)}`}
        </TextLink>
      ),
    },
    {
      label: 'Payments on their way',
      value: (
        <TextLink href={below('payments')}>{waiting_payments === 0 ? 'None' : waiting_payments}</TextLink>
      ),
    },
    {
      label: 'Waiting for approval',
      value: (
        <TextLink href={below('finance-actions')}>
          {pending_actions === 0 ? 'None' : pending_actions}
        </TextLink>
      ),
    },
    { label: 'Saved card', value: team.card ?? 'None' },
    { label: 'Ledger', value: <TextLink href={below('transactions')}>View transactions</TextLink> },
  ];
}
