import FingerprintPatternIcon from 'lucide-react/icons/fingerprint-pattern';
import { Button } from '../../../ui/controls/Button';
import { secondFactorChallenge } from '../../../api/authSteps';
import { Spinner } from '../../../ui/controls/Spinner';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { attemptsText, useSecondFactor, type FactorProps } from './useSecondFactor';

export function PasskeyFactor(props: FactorProps) {
  const { send, busy, refused, problem, waitSeconds } = useSecondFactor(async () => {
    const [{ options }, { askForPasskey }] = await Promise.all([
      secondFactorChallenge(),
      import('../../../lib/accounts/webauthn'),
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
      <Button
        variant="contained"
        fullWidth
        autoFocus
        disabled={busy || waitSeconds !== undefined}
        startIcon={busy ? <Spinner /> : <FingerprintPatternIcon />}
        onClick={() => send.mutate(undefined)}
      >
        {waitSeconds !== undefined
          ? `Try again in ${waitSeconds} s`
          : busy
            ? 'Waiting for your passkey…'
            : 'Use a passkey'}
      </Button>
    </>
  );
}
