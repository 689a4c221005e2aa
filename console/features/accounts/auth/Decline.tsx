import { Button } from '../../../ui/controls/Button';
import { useMutation } from '@tanstack/react-query';
import { declineInvitation } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { Spinner } from '../../../ui/controls/Spinner';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';

/** Declines without an account: holding the emailed link proves access to the mailbox. */
export function Decline({ token, onDeclined }: { token: string; onDeclined: () => void }) {
  const decline = useMutation({
    mutationFn: () => declineInvitation(token),
    meta: { signsIn: true },
    onSuccess: onDeclined,
  });
  const { problem, waitSeconds } = useProblem(decline.error, 'Couldn’t decline the invitation');
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <Button
        fullWidth
        disabled={decline.isPending || waitSeconds !== undefined}
        startIcon={decline.isPending ? <Spinner /> : undefined}
        onClick={() => decline.mutate()}
      >
        Decline
      </Button>
    </>
  );
}
