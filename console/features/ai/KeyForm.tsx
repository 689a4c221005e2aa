import { useState } from 'react';
import type { ShownProblem } from '../../api/problem';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { SelectInput } from '../../ui/forms/SelectInput';
import { TextInput } from '../../ui/forms/TextInput';
import { EXPIRY, limitError, type KeyValues } from './keyForm';

interface Props {
  label: string;
  submitLabel: string;
  pendingLabel: string;
  values: KeyValues;
  /** Whether the expiry can be chosen: only for a new key. */
  isNew: boolean;
  problem: ShownProblem | null;
  pending: boolean;
  onEdit: (change: Partial<KeyValues>) => void;
  onSubmit: () => void;
  onCancel: () => void;
}

/** Name and limits of a key. */
export function KeyForm({ values, isNew, problem, onEdit, onSubmit, ...shell }: Props) {
  const [tried, setTried] = useState(false);
  const { name, requests, tokens, hours } = values;
  const submit = () => {
    setTried(true);
    if (name.trim() !== '' && !limitError(requests) && !limitError(tokens)) onSubmit();
  };
  return (
    <FormShell
      aria-label={shell.label}
      error={problem}
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
      <TextInput
        label="Requests per minute"
        optional
        inputMode="numeric"
        value={requests}
        autoComplete="off"
        onChange={(event) => onEdit({ requests: event.target.value })}
        error={tried ? limitError(requests) : fieldProblem(problem, 'requests_per_minute')}
      />
      <TextInput
        label="Tokens per minute"
        optional
        help="Input and output together."
        inputMode="numeric"
        value={tokens}
        autoComplete="off"
        onChange={(event) => onEdit({ tokens: event.target.value })}
        error={tried ? limitError(tokens) : fieldProblem(problem, 'tokens_per_minute')}
      />
      {isNew && (
        <SelectInput
          label="Expires after"
          value={hours}
          choices={EXPIRY}
          onChange={(event) => onEdit({ hours: event.target.value })}
        />
      )}
    </FormShell>
  );
}
