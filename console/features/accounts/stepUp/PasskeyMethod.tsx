import FingerprintPatternIcon from 'lucide-react/icons/fingerprint-pattern';
import { Button } from '../../../ui/controls/Button';
import { useMutation } from '@tanstack/react-query';
import { stepUp, stepUpChallenge } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { Spinner } from '../../../ui/controls/Spinner';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { DialogActions } from '../../../ui/forms/DialogActions';
import type { MethodProps } from './StepUpDialog';

export function PasskeyMethod({ onConfirmed, onCancel }: MethodProps) {
  const confirm = useMutation({
    mutationFn: async () => {
      const [{ options }, { askForPasskey }] = await Promise.all([
        stepUpChallenge(),
        import('../../../lib/accounts/webauthn'),
      ]);
      await stepUp({ method: 'passkey', credential: await askForPasskey(options) });
    },
    meta: { signsIn: true },
    onSuccess: onConfirmed,
  });
  const { problem, waitSeconds } = useProblem(confirm.error, 'Couldn’t confirm');
  const busy = confirm.isPending || confirm.isSuccess;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <DialogActions onCancel={onCancel}>
        <Button
          variant="contained"
          autoFocus
          disabled={busy || waitSeconds !== undefined}
          startIcon={busy ? <Spinner /> : <FingerprintPatternIcon />}
          onClick={() => confirm.mutate()}
        >
          {waitSeconds !== undefined
            ? `Try again in ${waitSeconds} s`
            : busy
              ? 'Waiting for your passkey…'
              : 'Use a passkey'}
        </Button>
      </DialogActions>
    </>
  );
}
