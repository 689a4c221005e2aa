import FingerprintPatternIcon from 'lucide-react/icons/fingerprint-pattern';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { recordFeature } from '../../../analytics';
import { isApiError } from '../../../api/apiError';
import { passkeyChallenge, signInWithPasskey } from '../../../api/auth';
import { useProblem } from '../../../api/useProblem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Stack } from './authElements';
import { importWithRetry } from '../../../lib/importWithRetry';

/** Challenges live five minutes; a pending autofill request is renewed before that. */
const CHALLENGE_MS = 4 * 60_000;

const webauthn = () => importWithRetry(() => import('../../../lib/accounts/webauthn'));
export const passkeysExist = () => 'PublicKeyCredential' in window;

interface Props {
  onSignedIn: (answer: Awaited<ReturnType<typeof signInWithPasskey>>) => Promise<void>;
  disabled: boolean;
}

/** A button, plus passkey suggestions in the email field where the browser supports them. */
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

  const shown = useProblem(signIn.error, 'Couldn’t sign in');
  const problem =
    shown.problem && isApiError(signIn.error, 401)
      ? {
          ...shown.problem,
          message: 'This passkey isn’t registered here, or was removed from its account.',
          suggestions: ['Try another passkey, or sign in with your password.'],
        }
      : shown.problem;
  const busy = signIn.isPending || signIn.isSuccess;
  return (
    <Stack>
      <PendingButton
        fullWidth
        pending={busy}
        disabled={disabled || shown.waitSeconds !== undefined}
        startIcon={<FingerprintPatternIcon />}
        onClick={() => signIn.mutate(undefined)}
      >
        {busy ? 'Waiting for your passkey…' : 'Sign in with a passkey'}
      </PendingButton>
      {problem && <ErrorNotice problem={problem} />}
    </Stack>
  );
}

/** Offers passkeys in the browser's autofill while the page is open. Does nothing if unsupported. */
function usePasskeyAutofill(take: (credential: Record<string, unknown>) => void): void {
  const onCredential = useEffectEvent(take);
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
      if (credential && !over) onCredential(credential);
    };
    void offer().catch(() => undefined);
    return () => {
      over = true;
      clearTimeout(timer);
      void webauthn().then(({ endPasskeyAutofill }) => endPasskeyAutofill());
    };
  }, []);
}
