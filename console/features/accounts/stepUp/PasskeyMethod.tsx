import FingerprintPatternIcon from 'lucide-react/icons/fingerprint-pattern';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { stepUp, stepUpChallenge } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { DialogActions } from '../../../ui/forms/DialogActions';
import type { MethodProps } from './StepUpDialog';
import { importWithRetry } from '../../../lib/importWithRetry';

export function PasskeyMethod({ onConfirmed, onCancel }: MethodProps) {
  /** Whether the server is deciding: canceling no longer stops it, unlike while the device asks. */
  const [isSending, setSending] = useState(false);
  const confirm = useMutation({
    mutationFn: async () => {
      const [{ options }, { askForPasskey }] = await Promise.all([
        stepUpChallenge(),
        importWithRetry(() => import('../../../lib/accounts/webauthn')),
      ]);
      const credential = await askForPasskey(options);
      setSending(true);
      await stepUp({ method: 'passkey', credential });
    },
    meta: { signsIn: true },
    onSuccess: onConfirmed,
    onError: () => setSending(false),
  });
  const { problem, waitSeconds } = useProblem(confirm.error, 'Couldn’t confirm');
  const busy = confirm.isPending || confirm.isSuccess;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <DialogActions onCancel={onCancel} pending={isSending}>
        <PendingButton
          variant="contained"
          autoFocus
          pending={busy}
          disabled={waitSeconds !== undefined}
          startIcon={<FingerprintPatternIcon />}
          onClick={() => confirm.mutate()}
        >
          {waitSeconds !== undefined
            ? `Try again in ${waitSeconds} s`
            : busy
              ? 'Waiting for your passkey…'
              : 'Use a passkey'}
        </PendingButton>
      </DialogActions>
    </>
  );
}
