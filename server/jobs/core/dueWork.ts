import type { DueWork } from '../../db/platform/dueWork';

/** Maximum age of a cached answer, ms. Tasks that run every half second share one query. */
const FRESH_MS = 200;

/** Whether there may be work of any of these kinds. */
type IsDue = (...kinds: readonly (keyof DueWork)[]) => Promise<boolean>;

/**
 * Lets a worker's tasks share one query: on their own, an idle worker's tasks would send 50 queries per second.
 */
export function createDueWork(read: () => Promise<DueWork>, now = () => performance.now()): IsDue {
  let answer: Promise<DueWork> | undefined;
  let asked_at = -Infinity;
  return async (...kinds) => {
    if (!answer || now() - asked_at >= FRESH_MS) {
      asked_at = now();
      answer = read();
    }
    const due = await answer;
    return kinds.some((kind) => due[kind]);
  };
}
