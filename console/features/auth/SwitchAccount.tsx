import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { signOut } from '../../api/authSteps';
import { problemOf } from '../../api/problem';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';

/** Ends the session and loads this page anew, where one can then sign in or register as somebody else. */
export function SwitchAccount() {
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => location.reload() });
  const problem = problemOf(leave.error, 'You are still signed in');
  const busy = leave.isPending || leave.isSuccess;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <Button
        variant="contained"
        color="primary"
        fullWidth
        disabled={busy}
        startIcon={busy ? <Spinner /> : undefined}
        onClick={() => leave.mutate()}
      >
        Switch account
      </Button>
    </>
  );
}
