import { useMutation } from '@tanstack/react-query';
import { signInWithBreakGlass } from '../../../api/authSteps';
import { adminPath, loginPath } from '../../../lib/paths';
import { LinkButton } from '../../../ui/controls/Button';
import { AuthFrame } from './AuthFrame';
import { LinkActionCard } from './LinkActionCard';
import { useSignedIn } from './useSignedIn';

/** Target of links from `teehouse break-glass`. */
export function BreakGlassPage({ token }: { token: string }) {
  const signedIn = useSignedIn(adminPath());
  const signIn = useMutation({
    mutationFn: () => signInWithBreakGlass(token),
    meta: { signsIn: true },
    onSuccess: signedIn,
  });
  return (
    <AuthFrame>
      <LinkActionCard
        title="Break-glass sign-in"
        subtitle="Signs you in as an administrator for one hour. All administrators are notified by email, including the stated reason."
        label="Sign in"
        busyLabel="Signing in…"
        busy={signIn.isPending || signIn.isSuccess}
        onAct={() => signIn.mutate()}
        error={signIn.error}
        failed="Couldn’t sign in"
      >
        <LinkButton href={loginPath()} variant="text" fullWidth>
          Sign in another way
        </LinkButton>
      </LinkActionCard>
    </AuthFrame>
  );
}
