import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { defaultTeam, refreshSession } from '../../api/session';
import { safeNext, teamPath } from '../../lib/paths';

/** After the cookie is set: learns who one is and goes where one was going. */
export function useSignedIn(next: string | undefined): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  return async () => {
    const session = await refreshSession(queryClient);
    const team = defaultTeam(session);
    const target = safeNext(next) ?? (team ? teamPath(team.slug) : '/');
    // The admin area is an app of its own.
    if (/^\/admin(\/|$|\?)/.test(target)) {
      location.assign(target);
      return;
    }
    await navigate({ href: target, replace: true });
    await router.invalidate();
  };
}
