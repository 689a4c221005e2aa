import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { PendingSignIn, Session } from '../../../../generated/api/types.gen';
import { isPending } from '../../../api/auth';
import { defaultTeam, refreshSession } from '../../../api/session';
import { safeNext, teamPath, twoFactorPath } from '../../../lib/paths';

/** Reloads the session, then opens `target`, or the user's own team without one. */
export function useGoTo(): (target?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  return async (wanted) => {
    const session = await refreshSession(queryClient);
    const team = defaultTeam(session);
    const target = safeNext(wanted) ?? (team ? teamPath(team.slug) : '/');
    // The admin area is a separate app.
    if (/^\/admin(\/|$|\?)/.test(target)) {
      location.assign(target);
      return;
    }
    await navigate({ href: target, replace: true });
    await router.invalidate();
  };
}

/**
 * Continues after the server accepted credentials: to the second factor if required, else to `next`.
 * `answer` is left out when the session cookie is already set.
 */
export function useSignedIn(next: string | undefined): (answer?: Session | PendingSignIn) => Promise<void> {
  const navigate = useNavigate();
  const goTo = useGoTo();
  return async (answer) => {
    if (answer && isPending(answer)) await navigate({ href: twoFactorPath(next) });
    else await goTo(next);
  };
}
