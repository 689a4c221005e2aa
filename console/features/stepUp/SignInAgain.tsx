import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { discoverSso, signOut, startSso } from '../../api/authSteps';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { loginPath } from '../../lib/paths';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { color, space, type } from '../../ui/theme';

const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });
const Text = styled('p')({ ...type.body, color: color.muted });

/** For people without password and passkey: a fresh sign-in is the confirmation. It leaves the page and comes back. */
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
  const problem = problemOf(leave.error, 'Could not begin a new sign-in');
  const busy = leave.isPending || leave.isSuccess;
  return (
    <>
      <Text>
        {sso
          ? 'You sign in through your team’s provider. Sign in there again; you come back to this page, and can repeat what you did.'
          : 'Sign in again; you come back to this page, and can repeat what you did.'}
      </Text>
      {problem && <ErrorNotice problem={problem} />}
      <Row>
        <Button
          variant="contained"
          color="primary"
          autoFocus
          disabled={busy}
          startIcon={busy ? <Spinner /> : undefined}
          onClick={() => leave.mutate()}
        >
          Sign in again
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </Row>
    </>
  );
}
