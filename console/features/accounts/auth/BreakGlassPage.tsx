import { useMutation } from '@tanstack/react-query';
import { signInWithBreakGlass } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { adminPath, loginPath } from '../../../lib/paths';
import { Button, LinkButton } from '../../../ui/controls/Button';
import { Spinner } from '../../../ui/controls/Spinner';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { AuthFrame } from './AuthFrame';
import { Stack } from './authElements';
import { useSignedIn } from './useSignedIn';

/** Target of links from `teehouse break-glass`. Requires a click, because opening a link must not use it up. */
export function BreakGlassPage({ token }: { token: string }) {
  const signedIn = useSignedIn(adminPath());
  const signIn = useMutation({
    mutationFn: () => signInWithBreakGlass(token),
    meta: { signsIn: true },
    onSuccess: signedIn,
  });
  const { problem, waitSeconds } = useProblem(signIn.error, 'Couldn’t sign in');
  const busy = signIn.isPending || signIn.isSuccess;
  return (
    <AuthFrame>
      <PublicCard
        title="Break-glass sign-in"
        subtitle="Signs you in as an administrator for one hour. All administrators are notified by mail, with the reason that was given."
      >
        <Stack>
          {problem && <ErrorNotice problem={problem} />}
          <Button
            variant="contained"
            fullWidth
            autoFocus
            disabled={busy || waitSeconds !== undefined}
            startIcon={busy ? <Spinner /> : undefined}
            onClick={() => signIn.mutate()}
          >
            {waitSeconds !== undefined ? `Try again in ${waitSeconds} s` : busy ? 'Signing in…' : 'Sign in'}
          </Button>
          <LinkButton href={loginPath()} variant="text" fullWidth>
            Sign in another way
          </LinkButton>
        </Stack>
      </PublicCard>
    </AuthFrame>
  );
}
