import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ActivityEvent } from '../../generated/api/types.gen';
import { streamTeam } from './client';
import { followEvents, type StreamState } from './eventStream';
import { isStale, LIVE, shownSince, staleAfter, type Stale } from './invalidation';

/** A change emits bursts of events, which are handled together. */
const GATHER_MS = 250;

/**
 * Keeps the page current by mapping team events to stale queries. Used once, by the shell, so that a tab has one
 * stream. `onEvent` receives each event, `onBreak` runs when the stream breaks or is cut.
 */
export function useEvents(
  teamSlug: string,
  onEvent?: (event: ActivityEvent) => void,
  onBreak?: () => void,
): StreamState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<StreamState>('connecting');
  const listeners = useRef({ onEvent, onBreak });
  useEffect(() => {
    listeners.current = { onEvent, onBreak };
  });

  useEffect(() => {
    let gathered: Stale[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      const stale = gathered;
      gathered = [];
      timer = undefined;
      void queryClient.invalidateQueries({ predicate: (query) => isStale(query.queryKey, teamSlug, stale) });
    };
    const add = (stale: readonly Stale[]) => {
      gathered.push(...stale);
      timer ??= setTimeout(flush, GATHER_MS);
    };
    const stop = followEvents(`/api/v1/events/stream?${streamTeam(teamSlug)}`, {
      onEvent(event) {
        add(staleAfter(event));
        listeners.current.onEvent?.(event);
      },
      shownSince: () => shownSince(queryClient, teamSlug),
      onGap: () => add([LIVE]),
      onState: setState,
      onNotification: () => add([{ operationIds: ['listNotifications'] }]),
      onAnnouncement: () => add([{ operationIds: ['listAnnouncements'] }]),
      onBreak: () => listeners.current.onBreak?.(),
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [teamSlug, queryClient]);

  return state;
}
