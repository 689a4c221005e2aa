import styled from '@emotion/styled';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Debt, DebtStatus } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { balanceOptions } from '../../api/runway';
import { refreshSession, useMay, useTeam } from '../../api/session';
import { billingPath, costPath, teamPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/Button';
import { ActionButton } from '../../ui/controls/ActionButton';
import { counted } from '../../lib/texts/count';
import { exactUsd, parseMicros } from '../../lib/billing/money';
import { overdraftText } from '../../lib/billing/overdraft';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { color, space, type } from '../../ui/theme';
import { AddFundsDialog } from './AddFundsDialog';
import { paymentFor, roundedUp } from './amount';
import { MoneyPage } from './MoneyPage';
import { PaymentsPanel } from './PaymentsPanel';
import { debtOptions } from './queries';
import { minuteTime } from '../../ui/data/time';

const Steps = styled('ol')({ display: 'grid', gap: space(3) });
const StepItem = styled('li')({
  display: 'grid',
  gap: space(0.5),
  paddingLeft: space(4),
  borderLeft: `2px solid ${color.line}`,
  '&[data-current="true"]': { borderColor: color.attentionSolid },
});
const StepTitle = styled('strong')({ ...type.body, fontWeight: 600 });
const StepText = styled('span')({ ...type.small, color: color.muted });

/** A team's debt, what stops when, and how to settle it. */
export function DebtPage({ teamSlug }: { teamSlug: string }) {
  const team = useTeam(teamSlug);
  const { allowed } = useMay('billing.read', teamSlug);
  const manage = useMay('billing.manage', teamSlug);
  const queryClient = useQueryClient();
  const [paying, setPaying] = useState(false);
  const { data, error, refetch } = useQuery({ ...debtOptions(teamSlug), enabled: allowed });
  const problem = loadProblem({ data, error, refetch }, 'Couldn’t load the debt');
  const debt = data?.debt ?? null;
  // The banner's dates come from the session, so refresh it.
  const outdated = data !== undefined && (debt === null) !== (team.debt === null);
  useEffect(() => {
    if (outdated) void refreshSession(queryClient);
  }, [outdated, queryClient]);
  return (
    <>
      <MoneyPage
        teamSlug={teamSlug}
        title="Debt settlement"
        subtitle={`Amount due and deadlines for ${team.name}`}
        primary={
          debt === null || parseMicros(debt.due) === 0 ? undefined : (
            <ActionButton variant="contained" reason={manage.reason} onClick={() => setPaying(true)}>
              Pay
            </ActionButton>
          )
        }
        secondary={
          <>
            <LinkButton href={costPath(teamSlug)}>Cost</LinkButton>
            <LinkButton href={billingPath(teamSlug)}>Billing</LinkButton>
          </>
        }
      >
        {problem ? (
          <ErrorNotice problem={problem} />
        ) : !data ? (
          <RowsSkeleton rows={4} />
        ) : debt === null ? (
          <Settled teamSlug={teamSlug} status={data} />
        ) : (
          <Sections>
            <Owed status={data} debt={debt} />
            {parseMicros(debt.due) === 0 ? (
              <Notice tone="progress" title="The payment has arrived.">
                The debt will be settled within a minute, and the CVMs it stopped will start again.
              </Notice>
            ) : (
              <Timeline status={data} debt={debt} />
            )}
            <PaymentsPanel teamSlug={teamSlug} mayManage={manage.allowed} />
          </Sections>
        )}
      </MoneyPage>
      {paying && debt && (
        <AddFundsDialog teamSlug={teamSlug} amount={paymentFor(debt.due)} onClose={() => setPaying(false)} />
      )}
    </>
  );
}

function Settled({ teamSlug, status: { settled_at } }: { teamSlug: string; status: DebtStatus }) {
  const { data: billing } = useQuery(balanceOptions(teamSlug));
  const overdraft = billing ? overdraftText(billing) : null;
  return (
    <EmptyState
      picture="money"
      title="Nothing is due"
      action={<LinkButton href={teamPath(teamSlug)}>View apps</LinkButton>}
    >
      {settled_at === null ? (
        'The team has no debt.'
      ) : (
        <>
          The last debt was settled <RelativeTime at={settled_at} inWords />. The CVMs it stopped start again
          within a minute.
        </>
      )}
      {overdraft !== null && ` ${overdraft}`}
    </EmptyState>
  );
}

function Owed({ status, debt }: { status: DebtStatus; debt: Debt }) {
  return (
    <Panel title="Due" framed>
      <KeyValue facts={factsOf(status, debt)} />
    </Panel>
  );
}

const factsOf = ({ active_cvms, kept_cvms }: DebtStatus, { due, started_at }: Debt): Fact[] => [
  {
    label: 'Due now',
    value: <strong title={exactUsd(due)}>{exactUsd(roundedUp(due))}</strong>,
  },
  { label: 'Since', value: <RelativeTime at={started_at} /> },
  { label: 'Running CVMs', value: counted(active_cvms, ['CVM', 'CVMs']) },
  { label: 'CVMs with a disk', value: counted(kept_cvms, ['CVM', 'CVMs']) },
];

function Timeline({ status, debt }: { status: DebtStatus; debt: Debt }) {
  const { stage, started_at, stops_at, deletes_at, stopped_at, deleted_at } = debt;
  return (
    <Panel title="Timeline">
      {status.payment_pending && (
        <Notice tone="progress" title="A payment is pending.">
          It postpones the deletion for a limited time, once per debt.
        </Notice>
      )}
      <Steps>
        <Step title="Balance used up" at={started_at} current={false}>
          CVMs can’t be started, added or enlarged.
        </Step>
        <Step
          title={stopped_at === null ? 'CVMs stop' : 'CVMs stopped'}
          at={stopped_at ?? stops_at}
          current={stage === 'grace'}
        >
          Disks are kept and still billed. CVMs start again when the debt is settled.
        </Step>
        <Step
          title={deleted_at === null ? 'CVMs are deleted' : 'CVMs deleted'}
          at={deleted_at ?? deletes_at}
          current={stage === 'stopped'}
        >
          CVMs move to the recycle bin with their disks. Once the debt is settled, you can restore them for a
          day.
        </Step>
      </Steps>
    </Panel>
  );
}

interface StepProps {
  title: string;
  at: string;
  /** Whether it is the next step. */
  current: boolean;
  children: string;
}

function Step({ title, at, current, children }: StepProps) {
  return (
    <StepItem data-current={current} aria-current={current ? 'step' : undefined}>
      <StepTitle>{title}</StepTitle>
      <span>
        {minuteTime(at)} (<RelativeTime at={at} />)
      </span>
      <StepText>{children}</StepText>
    </StepItem>
  );
}
