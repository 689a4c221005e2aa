import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteBudgetMutation,
  startBudgetCvmsMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { Budget } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay, useTitleInTeam } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { exactUsd, parseMicros, roundedUsd } from '../../../lib/billing/money';
import { appPath } from '../../../lib/paths';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { counted } from '../../../lib/texts/count';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { MiniBar } from '../../../ui/data/Meter';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Notice } from '../../../ui/feedback/Notice';
import { useToast } from '../../../ui/feedback/toasts';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { budgetsOptions } from '../queries';
import { BudgetDialog } from './BudgetDialog';
import { actionTexts, periodTexts, scopeOf } from './texts';
import { usedOf } from './used';

const Stack = styled('div')({ display: 'grid', gap: space(3) });
const Used = styled('div')({ display: 'grid', gap: space(1), minWidth: 0 });
const Muted = styled('span')({ ...type.small, color: color.muted });

/** Budgets of the team and its apps, and how much of each is used. */
export function BudgetsPanel({ teamSlug }: { teamSlug: string }) {
  const { allowed } = useMay('billing.read', teamSlug);
  const manage = useMay('billing.manage', teamSlug);
  const { data, error, refetch } = useQuery({ ...budgetsOptions(teamSlug), enabled: allowed });
  const [opened, setOpened] = useState<'new' | { edit: Budget } | { remove: Budget } | null>(null);
  const close = () => setOpened(null);
  return (
    <Panel
      title="Budgets"
      subtitle="Team budgets count CVMs, AI requests and orders. App budgets count only the app’s CVMs."
      actions={
        <ActionButton reason={manage.reason} onClick={() => setOpened('new')}>
          New budget
        </ActionButton>
      }
    >
      <Stack>
        {data?.items
          .filter(({ stopped_cvms }) => stopped_cvms > 0)
          .map((budget) => (
            <Stopped key={budget.id} teamSlug={teamSlug} budget={budget} mayManage={manage.allowed} />
          ))}
        <DataTable
          id="budgets"
          noun={['budget', 'budgets']}
          // As high as the empty state: most teams have no budget, or a few.
          skeletonRows={4}
          columns={columnsOf(teamSlug)}
          rows={data?.items}
          problem={problemOf(error, 'Couldn’t load the budgets', () => void refetch())}
          rowId={({ id }) => id}
          rowName={scopeOf}
          {...(manage.allowed && {
            rowActions: (budget: Budget) => [
              { id: 'edit', label: 'Edit budget', onSelect: () => setOpened({ edit: budget }) },
              { id: 'delete', label: 'Delete budget', onSelect: () => setOpened({ remove: budget }) },
            ],
          })}
          empty={
            <EmptyState picture="money" title="No budgets yet">
              Get notified when the team or an app costs more than planned, or stop its CVMs automatically.
            </EmptyState>
          }
        />
      </Stack>
      {opened === 'new' && <BudgetDialog teamSlug={teamSlug} onClose={close} />}
      {opened !== null && opened !== 'new' && 'edit' in opened && (
        <BudgetDialog teamSlug={teamSlug} budget={opened.edit} onClose={close} />
      )}
      {opened !== null && opened !== 'new' && 'remove' in opened && (
        <DeleteBudget teamSlug={teamSlug} budget={opened.remove} onClose={close} />
      )}
    </Panel>
  );
}

const columnsOf = (teamSlug: string): Column<Budget>[] => [
  {
    id: 'scope',
    header: 'For',
    cell: ({ app }) =>
      app === null ? 'The team' : <TextLink href={appPath(teamSlug, app.app_id)}>{app.name}</TextLink>,
  },
  {
    id: 'used',
    header: 'Used',
    width: 220,
    wrap: true,
    phone: 'meta',
    cell: (budget) => <UsedOf {...budget} />,
  },
  {
    id: 'amount',
    header: 'Budget',
    width: 170,
    align: 'right',
    phone: 'end',
    cell: ({ amount, period }) => (
      <>
        {exactUsd(amount)} <Muted>{periodTexts[period].toLowerCase()}</Muted>
      </>
    ),
  },
  {
    id: 'alerts',
    header: 'Notifies at',
    width: 140,
    priority: 3,
    phone: 'hide',
    cell: ({ alerts }) => alerts.map((alert) => `${alert}%`).join(', '),
  },
  {
    id: 'action',
    header: 'At 100%',
    width: 150,
    priority: 2,
    phone: 'meta',
    cell: ({ action }) => actionTexts[action],
  },
];

function UsedOf(budget: Budget) {
  const { usd, percent, exempt } = usedOf(budget);
  return (
    <Used>
      <span title={exactUsd(usd)}>
        {exactUsd(roundedUsd(usd))} <Muted>{percent}%</Muted>
      </span>
      {exempt !== null && <Muted>{exempt}</Muted>}
      <MiniBar used={parseMicros(usd) ?? 0} total={parseMicros(budget.amount) ?? 0} />
    </Used>
  );
}

interface BudgetProps {
  teamSlug: string;
  budget: Budget;
}

/** Offers to start the CVMs a budget stopped, once it would no longer stop them again. */
function Stopped({ teamSlug, budget, mayManage }: BudgetProps & { mayManage: boolean }) {
  const stale = useStale();
  const start = useMutation({ ...startBudgetCvmsMutation(), onSuccess: () => stale('listBudgets') });
  const cvms = counted(budget.stopped_cvms, ['CVM', 'CVMs']);
  const blocked = budget.used_up_at !== null && budget.action === 'stop';
  return (
    <Notice
      tone="attention"
      title={`The budget for ${scopeOf(budget)} stopped ${cvms}.`}
      action={
        !blocked &&
        mayManage && (
          <PendingButton
            size="small"
            pending={start.isPending}
            onClick={() => start.mutate({ ...inTeam(teamSlug), path: { budget_id: budget.id } })}
          >
            Start {cvms}
          </PendingButton>
        )
      }
    >
      {problemOf(start.error, 'Couldn’t start the CVMs')?.message ??
        (blocked
          ? 'To start them again, raise the budget or change its action at 100%.'
          : 'The budget no longer stops them. Compute billing resumes when they start.')}
    </Notice>
  );
}

function DeleteBudget({ teamSlug, budget, onClose }: BudgetProps & { onClose: () => void }) {
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const remove = useMutation({
    ...deleteBudgetMutation(),
    onSuccess: async () => {
      await stale('listBudgets');
      onClose();
      toast({
        tone: 'ok',
        title: named('Budget deleted'),
        message: `${exactUsd(budget.amount)} ${periodTexts[budget.period].toLowerCase()} for ${scopeOf(budget)}.`,
      });
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Delete the budget for ${scopeOf(budget)}?`}
      effects={[
        'Usage is no longer tracked against it.',
        ...(budget.stopped_cvms > 0
          ? [`The ${counted(budget.stopped_cvms, ['CVM', 'CVMs'])} it stopped stay stopped.`]
          : []),
      ]}
      confirmLabel="Delete budget"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t delete the budget')}
      onConfirm={() => remove.mutate({ ...inTeam(teamSlug), path: { budget_id: budget.id } })}
      onClose={onClose}
    />
  );
}
