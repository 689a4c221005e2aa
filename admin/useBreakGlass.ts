import { useQuery } from '@tanstack/react-query';
import type { BreakGlass, Session } from '../generated/api/types.gen';
import { fetchJson } from './http';
import { useSession } from './session';

const WATCH_MS = 60_000;

/** During a rolling upgrade, a new page may get a session from an old server, which lacks the field. */
export const openBreakGlass = ({
  break_glass = [],
}: Partial<Pick<Session, 'break_glass'>>): readonly BreakGlass[] => break_glass;

/**
 * Returns the open break-glass sessions, including those started after the page loaded. Only visible tabs poll, at
 * most once a minute. Everything else in the session stays as loaded.
 */
export function useBreakGlass(): readonly BreakGlass[] {
  const { data } = useQuery({
    queryKey: ['session'],
    queryFn: async ({ signal }) => (await fetchJson('/api/v1/session', { signal })).json as Session,
    initialData: useSession(),
    staleTime: WATCH_MS,
    refetchInterval: WATCH_MS,
    refetchOnWindowFocus: true,
  });
  return openBreakGlass(data);
}
