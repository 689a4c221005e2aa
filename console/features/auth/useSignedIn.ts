import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { PendingSignIn, Session } from '../../../generated/api/types.gen';
import { isPending } from '../../api/auth';
import { defaultTeam, refreshSession } from '../../api/session';
import { safeNext, teamPath, twoFactorPath } from '../../lib/paths';

/** Learns anew who one is and which teams one has, then goes there. Without `target`: to the person's own team. */
export function useGoTo(): (target?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  return async (wanted) => {
    const session = await refreshSession(queryClient);
    const team = defaultTeam(session);
    const target = safeNext(wanted) ?? (team ? teamPath(team.slug) : '/');
    // The admin area is an app of its own.
    if (/^\/admin(\/|$|\?)/.test(target)) {
      location.assign(target);
      return;
    }
    await navigate({ href: target, replace: true });
    await router.invalidate();
  };
}

/**
 * After the server took what the person gave: on to the second factor if it wants one, else where one was going.
 * `answer` is left out when the cookie is set for certain.
 */
export function useSignedIn(next: string | undefined): (answer?: Session | PendingSignIn) => Promise<void> {
  const navigate = useNavigate();
  const goTo = useGoTo();
  return async (answer) => {
    if (answer && isPending(answer)) await navigate({ href: twoFactorPath(next) });
    else await goTo(next);
  };
}
