import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { recordFeature } from '../../analytics';
import { isApiError } from '../../api/apiError';
import { passkeyChallenge, signInWithPasskey } from '../../api/auth';
import { useProblem } from '../../api/useProblem';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Stack } from './parts';

/** Challenges live five minutes; one that waits in the browser's autofill is replaced before that. */
const CHALLENGE_MS = 4 * 60_000;

const webauthn = () => import('../../lib/webauthn');
export const passkeysExist = () => 'PublicKeyCredential' in window;

interface Props {
  onSignedIn: (answer: Awaited<ReturnType<typeof signInWithPasskey>>) => Promise<void>;
  disabled: boolean;
}

/** A button; and, where the browser can, passkeys among what it offers in the e-mail field. */
export function PasskeySignIn({ onSignedIn, disabled }: Props) {
  const signIn = useMutation({
    mutationFn: async (credential?: Record<string, unknown>) => {
      if (credential) return signInWithPasskey(credential);
      const [{ options }, { askForPasskey }] = await Promise.all([passkeyChallenge(), webauthn()]);
      return signInWithPasskey(await askForPasskey(options));
    },
    meta: { signsIn: true },
    onSuccess: (session) => {
      recordFeature('signed_in');
      return onSignedIn(session);
    },
  });
  usePasskeyAutofill(signIn.mutate);

  const shown = useProblem(signIn.error, 'You are not signed in');
  const problem =
    shown.problem && isApiError(signIn.error, 401)
      ? {
          ...shown.problem,
          message: 'This passkey is not known here, or was removed from its account.',
          suggestions: ['Take another passkey, or sign in with your password.'],
        }
      : shown.problem;
  const busy = signIn.isPending || signIn.isSuccess;
  return (
    <Stack>
      <Button
        fullWidth
        disabled={disabled || busy || shown.waitSeconds !== undefined}
        startIcon={busy ? <Spinner /> : <FingerprintRounded />}
        onClick={() => signIn.mutate(undefined)}
      >
        {busy ? 'Waiting for the passkey…' : 'Sign in with a passkey'}
      </Button>
      {problem && <ErrorNotice problem={problem} />}
    </Stack>
  );
}

/** The browser's own offer of passkeys, for as long as the page is open. Silent when it cannot. */
function usePasskeyAutofill(take: (credential: Record<string, unknown>) => void): void {
  const taken = useRef(take);
  useEffect(() => {
    taken.current = take;
  });
  useEffect(() => {
    if (!passkeysExist()) return undefined;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const offer = async (): Promise<void> => {
      const { autofillPasskey, canAutofillPasskeys } = await webauthn();
      if (over || !(await canAutofillPasskeys())) return;
      const { options } = await passkeyChallenge();
      if (over) return;
      timer = setTimeout(() => void offer().catch(() => undefined), CHALLENGE_MS);
      const credential = await autofillPasskey(options);
      if (credential && !over) taken.current(credential);
    };
    void offer().catch(() => undefined);
    return () => {
      over = true;
      clearTimeout(timer);
      void webauthn().then(({ endPasskeyAutofill }) => endPasskeyAutofill());
    };
  }, []);
}
