import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode } from '../../../api/apiError';
import { stepUp } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { CodeInput, isWholeCode } from '../../../ui/forms/CodeInput';
import { FormShell } from '../../../ui/forms/FormShell';
import type { MethodProps } from './StepUpDialog';

export function CodeMethod({ onConfirmed, onCancel }: MethodProps) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const confirm = useMutation({ mutationFn: stepUp, meta: { signsIn: true }, onSuccess: onConfirmed });
  const { problem, waitSeconds } = useProblem(confirm.error, 'Couldn’t confirm');
  const wrong = hasCode(confirm.error, 'ERR-00-037');
  const busy = confirm.isPending || confirm.isSuccess;
  const send = (secret: string) => {
    setTried(true);
    if (isWholeCode(secret) && !busy) confirm.mutate({ method: 'totp', secret });
  };
  return (
    <FormShell
      aria-label="Confirm with a code"
      error={wrong ? null : problem}
      pending={busy}
      waitSeconds={waitSeconds}
      onSubmit={() => send(code)}
      submitLabel="Confirm"
      pendingLabel="Checking…"
      onCancel={onCancel}
    >
      <CodeInput
        label="Authenticator code"
        autoFocus
        value={code}
        onChange={(typed) => {
          setCode(typed);
          if (confirm.isError) confirm.reset();
        }}
        onComplete={send}
        error={
          wrong
            ? 'That code is wrong or already used. Wait for the next one.'
            : tried && !isWholeCode(code)
              ? 'Enter all six digits.'
              : undefined
        }
      />
    </FormShell>
  );
}
