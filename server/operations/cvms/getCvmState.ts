import { findCvm } from '../../db/cvms/cvmLookup';
import { cvmStatus } from '../../db/cvms/cvmQueries';
import { toCvmState } from '../../domain/cvms/cvmResponse';
import { EVENT_STREAM, sse, StreamSlots, Wake } from '../activity/sse';
import { userOf, teamOf } from '../core/caller';
import type { Context, Handler } from '../types';

const slots = new StreamSlots({
  user: { most: 5, what: 'of your state streams' },
  team: { most: 100, what: "of this team's state streams" },
});

export const getCvmState: Handler<'getCvmState'> = async ({ path, query, ctx }) => {
  const team = teamOf(ctx);
  const { cvm } = await findCvm(ctx.db, team.id, path.cvm_id);
  const { target, interval = 5, timeout = 300 } = query;
  if (!target) return { status: 200, body: toCvmState(cvm) };
  slots.take({ user: userOf(ctx).id, team: team.id }, ctx.signal);
  return {
    status: 200,
    content_type: EVENT_STREAM,
    stream: watch(ctx, cvm, { target, interval_ms: interval * 1000, ends: Date.now() + timeout * 1000 }),
  };
};

/**
 * Yields states until the target is reached: at every event of the CVM, and at least every `interval_ms`.
 */
async function* watch(
  ctx: Context,
  { id, team_id }: { id: number; team_id: number },
  { target, interval_ms, ends }: { target: string; interval_ms: number; ends: number },
): AsyncGenerator<string> {
  const wake = new Wake();
  let stopped = false;
  const unsubscribe = ctx.events.subscribe(team_id, (notice) => {
    if (notice === 'stopped') stopped = true;
    if (typeof notice === 'string' || notice.cvm_id === id) wake.raise();
  });
  let reported: string | null = null;
  try {
    while (!stopped && !ctx.signal.aborted) {
      const found = await cvmStatus(ctx.db, team_id, id);
      if (!found) return yield sse({ event: 'error', data: { error: 'The CVM was deleted.' } });
      const { cvm, operation } = found;
      yield sse({ event: 'state', data: toCvmState(cvm) });
      if (cvm.status === target)
        return yield sse({ event: 'complete', data: { target, status: cvm.status } });
      if (cvm.deleted_at) return yield sse({ event: 'error', data: { error: 'The CVM was deleted.' } });
      // It may recover or be restarted in time, so report this once and continue watching.
      const isDown = (cvm.status === 'error' || cvm.status === 'lost') && !operation;
      const trouble = isDown ? (cvm.status_reason ?? 'The CVM failed.') : null;
      if (trouble !== null && trouble !== reported) yield sse({ event: 'error', data: { error: trouble } });
      reported = trouble;
      const left = ends - Date.now();
      if (left <= 0) return yield sse({ event: 'timeout', data: { target, status: cvm.status } });
      await wake.wait(Math.min(interval_ms, left), ctx.signal);
    }
  } finally {
    unsubscribe();
  }
}
