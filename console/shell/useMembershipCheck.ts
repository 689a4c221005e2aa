import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { fetchSession } from '../api/auth';
import { findTeam, sessionOptions } from '../api/session';
import { endedSessionPath } from '../lib/paths';

/** Minimum interval between checks, because streams break for many reasons. */
const MIN_CHECK_INTERVAL_MS = 1_500;
/** Polling interval for role changes that don't cut the stream. */
const CHECK_INTERVAL_MS = 60_000;

/**
 * Checks that the user is still signed in and a member of the team, when the event stream breaks (the server cuts the
 * streams of removed members) and when the tab regains focus. Removed members, and users who signed in with another
 * account in another tab, get a page load, so no data of the team or account stays in memory.
 */
export function useMembershipCheck(teamSlug: string): () => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const asked = useRef(0);
  const leaving = useRef(false);
  const ask = useCallback(() => {
    const now = Date.now();
    if (now - asked.current < MIN_CHECK_INTERVAL_MS) return;
    asked.current = now;
    void (async () => {
      const session = await fetchSession();
      const team = findTeam(session, teamSlug);
      const known = queryClient.getQueryData(sessionOptions().queryKey);
      const isOther = known?.user != null && known.user.id !== session.user?.id;
      if (session.user === null || !team || isOther) {
        // Signing out, leaving and deleting the team navigate on their own.
        if (leaving.current || queryClient.isMutating() > 0) return;
        if (session.user === null) location.replace(endedSessionPath(location.pathname + location.search));
        else location.reload();
        return;
      }
      if (known && JSON.stringify(findTeam(known, teamSlug)) === JSON.stringify(team)) return;
      queryClient.setQueryData(sessionOptions().queryKey, session);
      await router.invalidate();
    })().catch(() => undefined); // Without a response, the stream's own retry checks again.
  }, [teamSlug, queryClient, router]);
  useEffect(() => {
    const visibly = () => {
      if (document.visibilityState === 'visible') ask();
    };
    const leave = () => {
      leaving.current = true;
    };
    const timer = setInterval(visibly, CHECK_INTERVAL_MS);
    addEventListener('beforeunload', leave);
    addEventListener('focus', visibly);
    document.addEventListener('visibilitychange', visibly);
    return () => {
      clearInterval(timer);
      removeEventListener('beforeunload', leave);
      removeEventListener('focus', visibly);
      document.removeEventListener('visibilitychange', visibly);
    };
  }, [ask]);
  return ask;
}
