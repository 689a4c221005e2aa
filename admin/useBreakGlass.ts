import { useQuery } from '@tanstack/react-query';
import type { BreakGlass, Session } from '../generated/api/types.gen';
import { fetchJson } from './http';
import { useSession } from './session';

const WATCH_MS = 60_000;

/** While servers are replaced one by one, a new page may get the session of an old one, which doesn't have the field. */
export const openBreakGlass = ({
  break_glass = [],
}: Partial<Pick<Session, 'break_glass'>>): readonly BreakGlass[] => break_glass;

/**
 * Returns the open break-glass sessions, also those that began after the page was loaded. Only tabs that are looked at ask,
 * at most once a minute. Everything else stays as the page was loaded with it.
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
