import { findEvent } from '../../db/activity/events';
import { Problem } from '../../domain/core/problem';
import { toEvent } from '../../domain/activity/eventResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getEvent: Handler<'getEvent'> = async ({ path, ctx }) => {
  const id = /^\d{1,15}$/.test(path.event_id) ? Number(path.event_id) : null;
  const found = id === null ? undefined : await findEvent(ctx.db, teamOf(ctx).id, id);
  if (!found)
    throw new Problem('NOT_FOUND', {
      message: 'The requested event was not found; events are kept for 400 days.',
    });
  return { status: 200, body: toEvent(found) };
};
