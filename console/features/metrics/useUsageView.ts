import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { TimeRange } from '../../ui/charts/selection';
import type { ChartTime } from './queries';
import { usageSearch, type Range } from './search';

export interface UsageView {
  range: Range;
  /** The charts' time: the range or the zoomed period. */
  time: ChartTime;
  zoomed: boolean;
  compared: boolean;
  /** Null shows the whole range again. */
  zoom: (to: TimeRange | null) => void;
  toggleCompare: () => void;
}

const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The state of a usage page's charts. All of it is in the address, so it can be shared and Back works. */
export function useUsageView(): UsageView {
  const navigate = useNavigate();
  const { range = 'hour', from, to, compare } = usageSearch(useSearch({ strict: false }));
  const zoomed = from !== undefined && to !== undefined;
  const zoom = useCallback(
    (next: TimeRange | null) =>
      void navigate({
        to: '.',
        search: (search: Record<string, unknown>) => ({
          ...usageSearch(search),
          from: next ? second(next.from) : undefined,
          to: next ? second(next.to) : undefined,
        }),
        resetScroll: false,
      }),
    [navigate],
  );
  const toggleCompare = useCallback(
    () =>
      void navigate({
        to: '.',
        search: (search: Record<string, unknown>) => ({
          ...usageSearch(search),
          compare: search.compare === 'previous' ? undefined : ('previous' as const),
        }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return {
    range,
    time: zoomed ? { from, to } : { range },
    zoomed,
    compared: compare === 'previous',
    zoom,
    toggleCompare,
  };
}
