import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { stepUp, stepUpChallenge } from '../../api/authSteps';
import { useProblem } from '../../api/useProblem';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { space } from '../../ui/theme';
import type { WayProps } from './StepUpDialog';

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

export function PasskeyWay({ onConfirmed, onCancel }: WayProps) {
  const confirm = useMutation({
    mutationFn: async () => {
      const [{ options }, { askForPasskey }] = await Promise.all([
        stepUpChallenge(),
        import('../../lib/webauthn'),
      ]);
      await stepUp({ method: 'passkey', credential: await askForPasskey(options) });
    },
    meta: { signsIn: true },
    onSuccess: onConfirmed,
  });
  const { problem, waitSeconds } = useProblem(confirm.error, 'Not confirmed');
  const busy = confirm.isPending || confirm.isSuccess;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <Row>
        <Button
          variant="contained"
          color="primary"
          autoFocus
          disabled={busy || waitSeconds !== undefined}
          startIcon={busy ? <Spinner /> : <FingerprintRounded />}
          onClick={() => confirm.mutate()}
        >
          {waitSeconds !== undefined
            ? `Try again in ${waitSeconds} s`
            : busy
              ? 'Waiting for the passkey…'
              : 'Use a passkey'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </Row>
    </>
  );
}
