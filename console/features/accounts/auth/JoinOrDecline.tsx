import { useMutation } from '@tanstack/react-query';
import { acceptInvitation } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { teamPath } from '../../../lib/paths';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Decline } from './Decline';
import { useGoTo } from './useSignedIn';

interface Props {
  token: string;
  teamName: string;
  onDeclined: () => void;
}

export function JoinOrDecline({ token, teamName, onDeclined }: Props) {
  const goTo = useGoTo();
  const join = useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: ({ slug }) => goTo(teamPath(slug)),
  });
  const { problem, waitSeconds } = useProblem(join.error, `Couldn’t join ${teamName}`);
  const busy = join.isPending || join.isSuccess;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <PendingButton
        variant="contained"
        fullWidth
        pending={busy}
        disabled={waitSeconds !== undefined}
        onClick={() => join.mutate()}
      >
        {busy ? 'Joining…' : `Join ${teamName}`}
      </PendingButton>
      <Decline token={token} onDeclined={onDeclined} />
    </>
  );
}
