import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Button from '@mui/material/Button';
import { secondFactorChallenge } from '../../api/authSteps';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { attemptsText, useSecondFactor, type FactorProps } from './useSecondFactor';

export function PasskeyFactor(props: FactorProps) {
  const { send, busy, refused, problem, waitSeconds } = useSecondFactor(async () => {
    const [{ options }, { askForPasskey }] = await Promise.all([
      secondFactorChallenge(),
      import('../../lib/webauthn'),
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
                  message: `This passkey does not belong to the account.${attemptsText(props.attemptsLeft)}`,
                }
              : problem
          }
        />
      )}
      <Button
        variant="contained"
        color="primary"
        fullWidth
        autoFocus
        disabled={busy || waitSeconds !== undefined}
        startIcon={busy ? <Spinner /> : <FingerprintRounded />}
        onClick={() => send.mutate(undefined)}
      >
        {waitSeconds !== undefined
          ? `Try again in ${waitSeconds} s`
          : busy
            ? 'Waiting for the passkey…'
            : 'Use a passkey'}
      </Button>
    </>
  );
}
