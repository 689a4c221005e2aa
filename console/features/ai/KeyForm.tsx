import { useState } from 'react';
import type { ShownProblem } from '../../api/problem';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { SelectInput } from '../../ui/forms/SelectInput';
import { TextInput } from '../../ui/forms/TextInput';
import {
  budgetError,
  EXPIRY,
  limitError,
  MAX_REQUESTS,
  MAX_TOKENS,
  PERIODS,
  type KeyChange,
  type KeyValues,
} from './keyForm';
import { ModelBoxes } from './ModelBoxes';

interface Props {
  teamSlug: string;
  label: string;
  submitLabel: string;
  pendingLabel: string;
  /** Includes an expiry only for a new key. */
  values: KeyChange & Partial<KeyValues>;
  problem: ShownProblem | null;
  pending: boolean;
  onEdit: (change: Partial<KeyValues>) => void;
  onSubmit: () => void;
  onCancel: () => void;
}

/** Name and limits of a key. */
export function KeyForm({ teamSlug, values, problem, onEdit, onSubmit, ...shell }: Props) {
  const [tried, setTried] = useState(false);
  const { name, requests_per_minute, tokens_per_minute, budget, budget_period, expires_in_hours } = values;
  const requestsError = limitError(requests_per_minute, MAX_REQUESTS);
  const tokensError = limitError(tokens_per_minute, MAX_TOKENS);
  const wrongBudget = budgetError(budget);
  const submit = () => {
    setTried(true);
    if (name.trim() !== '' && !requestsError && !tokensError && !wrongBudget) onSubmit();
  };
  return (
    <FormShell
      aria-label={shell.label}
      error={problem}
      fields={['name', 'models', 'requests_per_minute', 'tokens_per_minute', 'budget']}
      pending={shell.pending}
      onSubmit={submit}
      submitLabel={shell.submitLabel}
      pendingLabel={shell.pendingLabel}
      onCancel={shell.onCancel}
    >
      <TextInput
        label="Name"
        help="The program that uses it."
        placeholder="Support bot"
        value={name}
        maxLength={100}
        autoFocus
        autoComplete="off"
        onChange={(event) => onEdit({ name: event.target.value })}
        error={tried && name.trim() === '' ? 'Enter a name.' : fieldProblem(problem, 'name')}
      />
      <ModelBoxes
        teamSlug={teamSlug}
        value={values.models}
        onChange={(models) => onEdit({ models })}
        error={fieldProblem(problem, 'models')}
      />
      <TextInput
        label="Requests per minute"
        optional
        inputMode="numeric"
        value={requests_per_minute}
        autoComplete="off"
        onChange={(event) => onEdit({ requests_per_minute: event.target.value })}
        error={(tried && requestsError) || fieldProblem(problem, 'requests_per_minute')}
      />
      <TextInput
        label="Tokens per minute"
        optional
        help="Input and output together."
        inputMode="numeric"
        value={tokens_per_minute}
        autoComplete="off"
        onChange={(event) => onEdit({ tokens_per_minute: event.target.value })}
        error={(tried && tokensError) || fieldProblem(problem, 'tokens_per_minute')}
      />
      <TextInput
        label="Budget in US dollars"
        optional
        help="Requests that could exceed it are refused. Requests in progress count at their maximum cost."
        inputMode="decimal"
        value={budget}
        autoComplete="off"
        onChange={(event) => onEdit({ budget: event.target.value })}
        error={(tried && wrongBudget) || fieldProblem(problem, 'budget')}
      />
      {budget.trim() !== '' && (
        <SelectInput
          label="Budget per"
          help="In UTC. Weeks start on Monday."
          value={budget_period}
          choices={PERIODS}
          onChange={(event) => onEdit({ budget_period: event.target.value as KeyValues['budget_period'] })}
        />
      )}
      {expires_in_hours !== undefined && (
        <SelectInput
          label="Expires after"
          value={expires_in_hours}
          choices={EXPIRY}
          onChange={(event) => onEdit({ expires_in_hours: event.target.value })}
        />
      )}
    </FormShell>
  );
}
