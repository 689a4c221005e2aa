import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { discoverSso, signOut, startSso } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { useSession } from '../../../api/session';
import { loginPath } from '../../../lib/paths';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { color, type } from '../../../ui/theme';

const Text = styled('p')({ ...type.body, color: color.muted });

/** For users without password or passkey: confirms through a new sign-in, which leaves the page and returns. */
export function SignInAgain({ sso, onCancel }: { sso: boolean; onCancel: () => void }) {
  const { user } = useSession();
  const leave = useMutation({
    mutationFn: async () => {
      const here = location.pathname + location.search;
      const found = sso && user ? (await discoverSso({ email: user.email })).connection : null;
      if (found) {
        const { authorization_url } = await startSso({ connection_id: found.id, next: here });
        location.assign(authorization_url);
      } else {
        await signOut();
        location.assign(loginPath(here));
      }
    },
    meta: { signsIn: true },
  });
  const problem = problemOf(leave.error, 'Couldn’t start a new sign-in');
  return (
    <>
      <Text>
        {sso
          ? 'Sign in again through your team’s provider. You’ll return to this page and can repeat the action.'
          : 'Sign in again. You’ll return to this page and can repeat the action.'}
      </Text>
      {problem && <ErrorNotice problem={problem} />}
      <DialogActions onCancel={onCancel}>
        <PendingButton
          variant="contained"
          autoFocus
          pending={leave.isPending || leave.isSuccess}
          onClick={() => leave.mutate()}
        >
          Sign in again
        </PendingButton>
      </DialogActions>
    </>
  );
}
