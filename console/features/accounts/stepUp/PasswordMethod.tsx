import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '../../../api/apiError';
import { stepUp } from '../../../api/authSteps';
import { useSession } from '../../../api/session';
import { useProblem } from '../../../api/useProblem';
import { FormShell } from '../../../ui/forms/FormShell';
import { OwnPasswordInput } from '../../../ui/forms/OwnPasswordInput';
import type { MethodProps } from './StepUpDialog';

export function PasswordMethod({ onConfirmed, onCancel }: MethodProps) {
  const { user } = useSession();
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const confirm = useMutation({ mutationFn: stepUp, meta: { signsIn: true }, onSuccess: onConfirmed });
  const { problem, waitSeconds } = useProblem(confirm.error, 'Couldn’t confirm');
  const wrong = isApiError(confirm.error, 401);
  return (
    <FormShell
      aria-label="Confirm with your password"
      error={wrong ? null : problem}
      pending={confirm.isPending || confirm.isSuccess}
      waitSeconds={waitSeconds}
      onSubmit={() => {
        setTried(true);
        if (password !== '') confirm.mutate({ method: 'password', secret: password });
      }}
      submitLabel="Confirm"
      pendingLabel="Checking…"
      onCancel={onCancel}
    >
      {/* Tells password managers which account this is. */}
      <input hidden readOnly type="text" name="username" autoComplete="username" value={user?.email ?? ''} />
      <OwnPasswordInput
        value={password}
        onChange={(event) => {
          setPassword(event.target.value);
          if (confirm.isError) confirm.reset();
        }}
        error={wrong ? 'Wrong password.' : tried && password === '' ? 'Enter your password.' : undefined}
      />
    </FormShell>
  );
}
