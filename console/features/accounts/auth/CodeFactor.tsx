import { useState } from 'react';
import { CodeInput, isWholeCode } from '../../../ui/forms/CodeInput';
import { FormShell } from '../../../ui/forms/FormShell';
import { attemptsText, useSecondFactor, type FactorProps } from './useSecondFactor';

export function CodeFactor(props: FactorProps) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const { send, busy, refused, problem, waitSeconds } = useSecondFactor(
    (typed: string) => ({ method: 'totp', code: typed }),
    props,
  );
  const submit = (typed: string) => {
    setTried(true);
    if (isWholeCode(typed) && !busy) send.mutate(typed);
  };
  return (
    <FormShell
      aria-label="Confirm with a code"
      error={refused ? null : problem}
      pending={busy}
      waitSeconds={waitSeconds}
      onSubmit={() => submit(code)}
      submitLabel="Confirm"
      pendingLabel="Checking…"
      fullWidthSubmit
    >
      <CodeInput
        label="Code"
        autoFocus
        value={code}
        onChange={(typed) => {
          setCode(typed);
          if (send.isError) send.reset();
        }}
        onComplete={submit}
        error={
          refused
            ? `That code is wrong or already used. Wait for the next one.${attemptsText(props.attemptsLeft)}`
            : tried && !isWholeCode(code)
              ? 'Enter all six digits.'
              : undefined
        }
      />
    </FormShell>
  );
}
