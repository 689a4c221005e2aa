import { useCallback } from 'react';
import type { AdminTeamBilling } from '../../../generated/api/types.gen';
import { LinkButton } from '../../../console/ui/controls/Button';
import { minuteTime } from '../../../console/ui/data/time';
import { useClock } from '../../../console/ui/data/clock';
import { exactUsd, roundedUsd } from '../../../console/lib/billing/money';
import { Cost } from '../../../console/ui/data/Cost';
import { KeyValue, type Fact } from '../../../console/ui/data/KeyValue';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../../console/ui/feedback/Skeletons';
import { Panel } from '../../../console/ui/layout/Panel';
import { TextLink } from '../../../console/ui/link';
import { problemOf } from '../../http';
import { isHidden, recordState } from '../../pages/recordView';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { usePermissionRefusal } from '../../session';
import { RecordFrame } from '../RecordFrame';
import { dueText, type DueTexts } from './dueText';
import { useUserBilling } from './useUserBilling';

/** The funds of the teams a user pays for, with links to change them. */
export function UserBilling({ resource }: { resource: ResourceDescription }) {
  return (
    <RecordFrame resource={resource} label="Billing">
      {({ id }) => <Teams userId={id} />}
    </RecordFrame>
  );
}

function Teams({ userId }: { userId: string | number }) {
  const { data, error, refetch } = useUserBilling(userId);
  const state = recordState(data !== undefined, error);
  const retry = () => void refetch();
  if (isHidden(state)) return <ErrorNotice problem={problemOf(error, 'Couldn’t load billing', retry)} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <>
      {state === 'stale' && <ErrorNotice problem={problemOf(error, 'Couldn’t refresh billing', retry)} />}
      {data.teams.length === 0 && (
        <EmptyState picture="money" title="No teams">
          This user isn’t an owner, admin or billing member of any team.
        </EmptyState>
      )}
      {data.teams.map((team) => (
        <Team key={team.team_id} team={team} />
      ))}
    </>
  );
}

function Team({ team }: { team: AdminTeamBilling }) {
  const refused = usePermissionRefusal()('admin.billing.write');
  const { team_id, name } = team;
  const below = (resource: string) => `${adminHref.show('workspaces', team_id)}/${resource}`;
  return (
    <Panel
      title={name}
      framed
      actions={
        refused === undefined && (
          <>
            <LinkButton size="small" href={`${below('credits')}/create`}>
              Grant credit
            </LinkButton>
            <LinkButton size="small" href={`${below('transactions')}/create`}>
              Adjust balance
            </LinkButton>
          </>
        )
      }
    >
      <KeyValue facts={factsOf(team, below)} />
    </Panel>
  );
}

const STOP: DueTexts = ['CVMs stop', 'CVMs were due to stop', 'CVMs stopped'];
const DELETION: DueTexts = ['disks are deleted', 'disks were due for deletion', 'disks were deleted'];

/** A step that follows a debt, worded for whether it is ahead, overdue or done. */
function Due({ texts, at, doneAt }: { texts: DueTexts; at: string; doneAt: string | null }) {
  const text = useClock(
    useCallback((now: number) => dueText(texts, at, doneAt, now), [texts, at, doneAt]),
    doneAt === null,
  );
  return <>, {text}</>;
}

/** Rounded to cents, as the team sees it; exact on hover. */
const Rounded = ({ usd }: { usd: string }) => <span title={exactUsd(usd)}>{exactUsd(roundedUsd(usd))}</span>;

function factsOf(team: AdminTeamBilling, below: (resource: string) => string): Fact[] {
  const { debt_since, stops_at, stopped_at, deletes_at, deleted_at } = team;
  const { unpaid_invoices, waiting_payments, received_payments, pending_actions } = team;
  return [
    { label: 'Address', value: team.slug },
    { label: 'Role', value: `${team.role.charAt(0).toUpperCase()}${team.role.slice(1)}` },
    {
      label: 'Balance',
      value: (
        <strong>
          <Rounded usd={team.balance} />
        </strong>
      ),
    },
    { label: 'Prepaid (posted)', value: <Rounded usd={team.prepaid} /> },
    {
      label: 'Credits (posted)',
      value: (
        <TextLink href={below('credits')}>
          <Rounded usd={team.credits} />
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
                Since {minuteTime(debt_since)}
                {stops_at !== null && <Due texts={STOP} at={stops_at} doneAt={stopped_at} />}
                {deletes_at !== null && <Due texts={DELETION} at={deletes_at} doneAt={deleted_at} />}
              </>
            ),
          },
        ]),
    {
      label: 'Unpaid invoices',
      value: (
        <TextLink href={below('invoices')}>
          {unpaid_invoices === 0 ? 'None' : `${unpaid_invoices}, ${exactUsd(team.unpaid)}`}
        </TextLink>
      ),
    },
    {
      label: 'Waiting payments',
      value: (
        <TextLink href={below('payments')}>{waiting_payments === 0 ? 'None' : waiting_payments}</TextLink>
      ),
    },
    // Payments are refunded and reversed on their own page.
    {
      label: 'Received payments',
      value: (
        <TextLink href={below('payments')}>{received_payments === 0 ? 'None' : received_payments}</TextLink>
      ),
    },
    {
      label: 'Pending approvals',
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
