import { createContext, use, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { createCursor, type ChartCursor, type CursorState } from './cursor';
import type { TimeRange } from './selection';

interface Sync {
  cursor: ChartCursor;
  /** Zooms to this range. If null, the charts can't be zoomed. */
  onZoom: ((range: TimeRange) => void) | null;
}

const SyncContext = createContext<Sync | null>(null);

interface Props {
  onZoom?: (range: TimeRange) => void;
  children: ReactNode;
}

/** Charts inside show values at the same time, and select a range together. */
export function ChartSync({ onZoom, children }: Props) {
  const [cursor] = useState(createCursor);
  const sync = useMemo(() => ({ cursor, onZoom: onZoom ?? null }), [cursor, onZoom]);
  return <SyncContext value={sync}>{children}</SyncContext>;
}

/** Returns the group's cursor; a chart outside a group has its own. */
export function useChartSync(): Sync {
  const group = use(SyncContext);
  const [own] = useState(createCursor);
  return useMemo(() => group ?? { cursor: own, onZoom: null }, [group, own]);
}

export const useCursor = (cursor: ChartCursor): CursorState =>
  useSyncExternalStore(cursor.subscribe, cursor.get, cursor.get);
