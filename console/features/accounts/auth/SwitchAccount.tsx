import { useMutation } from '@tanstack/react-query';
import { signOut } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';

/** Signs out and reloads the page, so that the user can sign in or register with another account. */
export function SwitchAccount() {
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => location.reload() });
  const problem = problemOf(leave.error, 'Couldn’t sign out');
  const busy = leave.isPending || leave.isSuccess;
  return (
    <>
      {problem && <ErrorNotice problem={problem} />}
      <PendingButton variant="contained" fullWidth pending={busy} onClick={() => leave.mutate()}>
        Switch account
      </PendingButton>
    </>
  );
}
