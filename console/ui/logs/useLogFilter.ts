import { useEffect, useReducer, useState } from 'react';
import type { LogView } from '../../lib/logs/text';
import { LogFilter, type LogQuery, type LogRows } from './filter';

/** Of a frame of 16 ms; the rest is the browser's. */
const BUDGET_MS = 6;

/** The rows of the log that the query asks for. A long log is gone through in the breaks between frames. */
export function useLogFilter(log: LogView, query: LogQuery): LogRows {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const [filter] = useState(() => new LogFilter());
  filter.update(log, query);
  // New lines are filtered immediately: they are few, and users watch the end of the log.
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
