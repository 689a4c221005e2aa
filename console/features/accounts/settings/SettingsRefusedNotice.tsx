import { PendingButton } from '../../../ui/controls/PendingButton';
import { useMutation } from '@tanstack/react-query';
import { signOut } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { loginPath } from '../../../lib/paths';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';

/** Shown above account settings, or in their place, if the session can't change them. @param why a sentence */
export function SettingsRefusedNotice({ why, email }: { why: string; email: string }) {
  const here = location.pathname + location.search;
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => location.assign(loginPath(here)) });
  const problem = problemOf(leave.error, 'Couldn’t sign out');
  return (
    <>
      <Notice
        tone="neutral"
        title="Sign in with your own password or passkey."
        action={
          <PendingButton
            size="small"
            pending={leave.isPending || leave.isSuccess}
            onClick={() => leave.mutate()}
          >
            Sign out
          </PendingButton>
        }
      >
        {why} No password yet? Request a reset link for {email} on the sign-in page.
      </Notice>
      {problem && <ErrorNotice problem={problem} />}
    </>
  );
}
