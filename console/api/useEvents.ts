import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ActivityEvent } from '../../generated/api/types.gen';
import { streamTeam } from './client';
import { followEvents, type StreamState } from './eventStream';
import { FOLLOWED, gatherStale, shownSince, staleAfter } from './invalidation';

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
  const onTeamEvent = useEffectEvent((event: ActivityEvent) => onEvent?.(event));
  const onStreamBreak = useEffectEvent(() => onBreak?.());

  useEffect(() => {
    const { add, stop: stopReading } = gatherStale(queryClient, teamSlug);
    const stop = followEvents(`/api/v1/events/stream?${streamTeam(teamSlug)}`, {
      onEvent(event) {
        add(staleAfter(event));
        onTeamEvent(event);
      },
      shownSince: () => shownSince(queryClient, teamSlug),
      onGap: () => add(FOLLOWED),
      onState: setState,
      onNotification: () => add([{ operationIds: ['listNotifications'] }]),
      onAnnouncement: () => add([{ operationIds: ['listAnnouncements'] }]),
      onBreak: () => onStreamBreak(),
    });
    return () => {
      stop();
      stopReading();
    };
  }, [teamSlug, queryClient]);

  return state;
}
