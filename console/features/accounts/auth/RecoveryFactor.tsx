import { useState } from 'react';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { attemptsText, useSecondFactor, type FactorProps } from './useSecondFactor';

export function RecoveryFactor(props: FactorProps) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const { send, busy, refused, problem, waitSeconds } = useSecondFactor(
    (typed: string) => ({ method: 'recovery_code', code: typed }),
    props,
  );
  const empty = code.trim() === '';
  return (
    <FormShell
      aria-label="Confirm with a recovery code"
      error={refused ? null : problem}
      pending={busy}
      waitSeconds={waitSeconds}
      onSubmit={() => {
        setTried(true);
        if (!empty) send.mutate(code.trim());
      }}
      submitLabel="Confirm"
      pendingLabel="Checking…"
      fullWidthSubmit
    >
      <TextInput
        label="Recovery code"
        name="recovery-code"
        mono
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          if (send.isError) send.reset();
        }}
        error={
          refused
            ? `That code is wrong or already used.${attemptsText(props.attemptsLeft)}`
            : tried && empty
              ? 'Enter one of your recovery codes.'
              : undefined
        }
      />
    </FormShell>
  );
}
