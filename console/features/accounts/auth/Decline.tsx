import { useMutation } from '@tanstack/react-query';
import { declineInvitation } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { PendingButton } from '../../../ui/controls/PendingButton';
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
      <PendingButton
        fullWidth
        pending={decline.isPending}
        disabled={waitSeconds !== undefined}
        onClick={() => decline.mutate()}
      >
        Decline
      </PendingButton>
    </>
  );
}
