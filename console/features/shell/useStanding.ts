import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { fetchSession } from '../../api/auth';
import { findTeam, sessionOptions } from '../../api/session';

/** Streams break for many reasons; asking more often than this tells nothing new. */
const REST_MS = 1_500;
/** A role that allows more, or less of what no stream carries, cuts nothing: it is noticed by asking now and then. */
const ASK_MS = 60_000;

/**
 * Asks whether the person still is who they were in this team. The server cuts the streams of those whose standing it
 * ended, so a break is the moment to ask, and coming back to the page another. Who is out loads the page anew: nothing
 * of the team stays in memory.
 */
export function useStanding(teamSlug: string): () => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const asked = useRef(0);
  const leaving = useRef(false);
  const ask = useCallback(() => {
    const now = Date.now();
    if (now - asked.current < REST_MS) return;
    asked.current = now;
    void (async () => {
      const session = await fetchSession();
      const team = findTeam(session, teamSlug);
      if (session.user === null || !team) {
        // Signing out, leaving or deleting the team go somewhere by themselves.
        if (!leaving.current && queryClient.isMutating() === 0) location.reload();
        return;
      }
      const known = queryClient.getQueryData(sessionOptions().queryKey);
      if (known && JSON.stringify(findTeam(known, teamSlug)) === JSON.stringify(team)) return;
      queryClient.setQueryData(sessionOptions().queryKey, session);
      await router.invalidate();
    })().catch(() => undefined); // No answer: the stream's own retry asks again.
  }, [teamSlug, queryClient, router]);
  useEffect(() => {
    const visibly = () => {
      if (document.visibilityState === 'visible') ask();
    };
    const leave = () => {
      leaving.current = true;
    };
    const timer = setInterval(visibly, ASK_MS);
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
