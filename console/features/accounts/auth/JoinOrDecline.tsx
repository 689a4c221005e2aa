import { Button } from '../../../ui/controls/Button';
import { useMutation } from '@tanstack/react-query';
import { acceptInvitation } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { teamPath } from '../../../lib/paths';
import { Spinner } from '../../../ui/controls/Spinner';
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
      <Button
        variant="contained"
        fullWidth
        disabled={busy || waitSeconds !== undefined}
        startIcon={busy ? <Spinner /> : undefined}
        onClick={() => join.mutate()}
      >
        {busy ? 'Joining…' : `Join ${teamName}`}
      </Button>
      <Decline token={token} onDeclined={onDeclined} />
    </>
  );
}
