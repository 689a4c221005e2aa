import FingerprintPatternIcon from 'lucide-react/icons/fingerprint-pattern';
import { secondFactorChallenge } from '../../../api/authSteps';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { attemptsText, useSecondFactor, type FactorProps } from './useSecondFactor';
import { importWithRetry } from '../../../lib/importWithRetry';

export function PasskeyFactor(props: FactorProps) {
  const { send, busy, refused, problem, waitSeconds } = useSecondFactor(async () => {
    const [{ options }, { askForPasskey }] = await Promise.all([
      secondFactorChallenge(),
      importWithRetry(() => import('../../../lib/accounts/webauthn')),
    ]);
    return { method: 'passkey', credential: await askForPasskey(options) };
  }, props);
  return (
    <>
      {problem && (
        <ErrorNotice
          problem={
            refused
              ? {
                  ...problem,
                  message: `This passkey isn’t registered for this account.${attemptsText(props.attemptsLeft)}`,
                }
              : problem
          }
        />
      )}
      <PendingButton
        variant="contained"
        fullWidth
        autoFocus
        pending={busy}
        disabled={waitSeconds !== undefined}
        startIcon={<FingerprintPatternIcon />}
        onClick={() => send.mutate(undefined)}
      >
        {waitSeconds !== undefined
          ? `Try again in ${waitSeconds} s`
          : busy
            ? 'Waiting for your passkey…'
            : 'Use a passkey'}
      </PendingButton>
    </>
  );
}
