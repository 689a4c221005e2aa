import { LinkButton } from '../../console/ui/controls/Button';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { CodeInput } from '../../console/ui/forms/CodeInput';
import { DialogActions } from '../../console/ui/forms/DialogActions';
import { FormShell } from '../../console/ui/forms/FormShell';
import { OwnPasswordInput } from '../../console/ui/forms/OwnPasswordInput';
import { StepUpFrame } from '../../console/ui/forms/StepUpFrame';
import { WaysList } from '../../console/ui/forms/WaysList';
import { loginPath } from '../../console/lib/paths';
import type { StepUp, StepUpMethods } from '../../generated/api/types.gen';
import { fetchJson, problemOf } from '../http';
import { importWithRetry } from '../../console/lib/importWithRetry';

type Method = StepUpMethods['methods'][number];

const URL = '/api/v1/auth/step-up';
const WORDS: Record<Method, { label: string; submit: string }> = {
  passkey: { label: 'Use a passkey', submit: 'Use a passkey' },
  totp: { label: 'Use your authenticator app', submit: 'Confirm' },
  password: { label: 'Use your password', submit: 'Confirm' },
  sso: { label: 'Sign in again with single sign-on', submit: 'Sign in again' },
};

interface Answers {
  onConfirmed: () => void;
  onCancel: () => void;
}

export const StepUpDialog = ({ open, ...answers }: Answers & { open: boolean }) => (
  <StepUpFrame open={open} onCancel={answers.onCancel}>
    <Ways {...answers} />
  </StepUpFrame>
);

/** Mounted only while open, so earlier input is discarded. */
function Ways({ onConfirmed, onCancel }: Answers) {
  const [ways, setWays] = useState<readonly Method[]>();
  const [chosen, setChosen] = useState<Method>();
  const [typed, setTyped] = useState('');
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    fetchJson(URL).then(({ json }) => setWays((json as StepUpMethods).methods), setFailure);
  }, []);
  const way = chosen ?? ways?.[0];

  const confirm = async (secret = typed) => {
    if (way === undefined || (way !== 'passkey' && secret === '')) return;
    setPending(true);
    setFailure(undefined);
    try {
      const body: StepUp =
        way === 'passkey'
          ? { method: 'passkey', credential: await passkey() }
          : { method: way as 'totp', secret };
      await fetchJson(URL, { method: 'POST', body: JSON.stringify(body) });
      onConfirmed();
    } catch (error) {
      setFailure(error);
      setPending(false);
    }
  };

  return (
    <>
      {!ways && !failure && <Bar h={96} />}
      {!ways && failure ? (
        <ErrorNotice problem={problemOf(failure, 'Couldn’t load the confirmation methods')} />
      ) : null}
      {way === 'sso' && (
        <DialogActions onCancel={onCancel}>
          <LinkButton variant="contained" href={loginPath(location.pathname)}>
            {WORDS.sso.submit}
          </LinkButton>
        </DialogActions>
      )}
      {way !== undefined && way !== 'sso' && (
        <FormShell
          key={way}
          aria-label={WORDS[way].label}
          error={failure ? problemOf(failure, 'Couldn’t confirm') : null}
          pending={pending}
          onSubmit={() => confirm()}
          submitLabel={WORDS[way].submit}
          pendingLabel="Checking…"
          onCancel={onCancel}
        >
          {way === 'password' && (
            <OwnPasswordInput value={typed} onChange={(event) => setTyped(event.target.value)} />
          )}
          {way === 'totp' && (
            <CodeInput
              label="Authenticator code"
              autoFocus
              value={typed}
              onChange={setTyped}
              onComplete={(code) => void confirm(code)}
            />
          )}
        </FormShell>
      )}
      <WaysList
        ways={(ways ?? []).filter((other) => other !== way).map((id) => ({ id, label: WORDS[id].label }))}
        onChoose={(next) => {
          setTyped('');
          setFailure(undefined);
          setChosen(next);
        }}
      />
    </>
  );
}

async function passkey(): Promise<Record<string, unknown>> {
  const [{ json }, { askForPasskey }] = await Promise.all([
    fetchJson(`${URL}/passkey`, { method: 'POST' }),
    importWithRetry(() => import('../../console/lib/accounts/webauthn')),
  ]);
  return askForPasskey((json as { options: Record<string, unknown> }).options);
}
