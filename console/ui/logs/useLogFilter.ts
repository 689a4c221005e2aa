import { useEffect, useReducer, useState } from 'react';
import type { LogView } from '../../lib/logs/text';
import { LogFilter, type LogQuery, type LogRows } from './filter';

/** Milliseconds per 16 ms frame; the browser gets the rest. */
const BUDGET_MS = 6;

/** Returns the log's rows that match the query. Searches a long log between frames. */
export function useLogFilter(log: LogView, query: LogQuery): LogRows {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const [filter] = useState(() => new LogFilter());
  filter.update(log, query);
  // Filters new lines immediately: there are few, and users watch the log's end.
  filter.work(BUDGET_MS / 2);
  const rows = filter.rows();
  const busy = rows.left > 0;
  useEffect(() => {
    if (!busy) return;
    let frame = requestAnimationFrame(function step() {
      filter.work(BUDGET_MS);
      draw();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [busy, filter]);
  return rows;
}
