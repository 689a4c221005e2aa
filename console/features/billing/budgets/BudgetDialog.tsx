import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createBudgetMutation,
  listAppsOptions,
  updateBudgetMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { Budget, BudgetAction, BudgetPeriod } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { useTitleInTeam } from '../../../api/session';
import { exactUsd, parseMicros } from '../../../lib/billing/money';
import { fieldProblem, type Problem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { AmountInput } from '../../../ui/forms/AmountInput';
import { decimalOf, isBeyond } from '../amount';
import { actionHelp, actionTexts, parseAlerts, periodTexts, scopeChoices, scopeOf } from './texts';

const PERIODS = Object.entries(periodTexts).map(([value, label]) => ({ value, label }));
const ACTIONS = Object.entries(actionTexts).map(([value, label]) => ({ value, label }));
/** Apps offered for selection; the API accepts any. */
const MAX_APPS = 100;

interface Props {
  teamSlug: string;
  /** The budget to edit; absent for a new one. */
  budget?: Budget;
  onClose: () => void;
}

/** Creates or edits a budget. */
export function BudgetDialog({ teamSlug, budget, onClose }: Props) {
  const [appId, setAppId] = useState('');
  const [period, setPeriod] = useState<string>(budget?.period ?? 'month');
  const [amount, setAmount] = useState(budget?.amount ?? '');
  const [alerts, setAlerts] = useState((budget?.alerts ?? [50, 80, 100]).join(', '));
  const [action, setAction] = useState<string>(budget?.action ?? 'notify');
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const onSuccess = async (saved: Budget) => {
    await stale('listBudgets');
    onClose();
    toast({
      tone: 'ok',
      title: named(budget ? 'Budget changed' : 'Budget created'),
      message: `${exactUsd(saved.amount)} ${periodTexts[saved.period].toLowerCase()} for ${scopeOf(saved)}.`,
    });
  };
  const create = useMutation({ ...createBudgetMutation(), onSuccess });
  const update = useMutation({ ...updateBudgetMutation(), onSuccess });
  const { error, isPending } = budget ? update : create;
  const problem = problemOf(error, 'Couldn’t save the budget');
  const percentages = parseAlerts(alerts);
  const submit = () => {
    setTried(true);
    if (amountFault(amount) !== undefined || percentages === null) return;
    const values = {
      amount: decimalOf(amount),
      alerts: percentages,
      action: action as BudgetAction,
    };
    if (budget) update.mutate({ ...inTeam(teamSlug), path: { budget_id: budget.id }, body: values });
    else
      create.mutate({
        ...inTeam(teamSlug),
        body: { ...values, period: period as BudgetPeriod, ...(appId === '' ? {} : { app_id: appId }) },
      });
  };
  const title = budget ? `Budget for ${scopeOf(budget)}` : 'New budget';
  return (
    <FormDialog open onClose={onClose} title={title}>
      <FormShell
        aria-label={title}
        error={problem}
        fields={['amount', 'app_id']}
        pending={isPending}
        onSubmit={submit}
        submitLabel={budget ? 'Save' : 'Create budget'}
        onCancel={onClose}
      >
        {!budget && (
          <>
            <AppSelect teamSlug={teamSlug} value={appId} onChange={setAppId} problem={problem} />
            <SelectInput
              label="Period"
              help="In UTC. Weeks start on Monday."
              choices={PERIODS}
              value={period}
              onChange={(event) => setPeriod(event.target.value)}
            />
          </>
        )}
        <AmountInput
          label="Amount in US dollars"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          error={tried ? (amountFault(amount) ?? fieldProblem(problem, 'amount')) : undefined}
        />
        <TextInput
          label="Notify at"
          help="Up to five percentages."
          autoComplete="off"
          maxLength={60}
          value={alerts}
          onChange={(event) => setAlerts(event.target.value)}
          error={tried && percentages === null ? 'Enter percentages such as 50, 80, 100.' : undefined}
        />
        <SelectInput
          label="At 100%"
          help={actionHelp[action as BudgetAction]}
          choices={ACTIONS}
          value={action}
          onChange={(event) => setAction(event.target.value)}
        />
      </FormShell>
    </FormDialog>
  );
}

function amountFault(text: string): string | undefined {
  if (text.trim() === '') return 'Enter an amount.';
  const micros = parseMicros(decimalOf(text));
  const most = 'The largest budget is $1,000,000.';
  if (micros === null) return isBeyond(text) ? most : 'Enter an amount such as 100 or 49.50.';
  if (micros < 10_000) return 'The smallest budget is $0.01.';
  return micros > 1_000_000_000_000 ? most : undefined;
}

interface AppSelectProps {
  teamSlug: string;
  value: string;
  onChange: (app_id: string) => void;
  problem: Problem | null;
}

function AppSelect({ teamSlug, value, onChange, problem }: AppSelectProps) {
  const { data, isError } = useQuery(
    listAppsOptions({ ...inTeam(teamSlug), query: { page: 1, page_size: MAX_APPS, sort: 'name' } }),
  );
  const apps = data?.dstack_apps;
  const total = data?.total ?? 0;
  return (
    <SelectInput
      label="For"
      help={
        total > (apps?.length ?? 0)
          ? `Showing ${MAX_APPS} of ${total} apps. Use the API for the others.`
          : undefined
      }
      aria-busy={!apps && !isError}
      choices={scopeChoices(apps, isError)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={fieldProblem(problem, 'app_id')}
    />
  );
}
