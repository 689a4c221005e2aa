import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { moveAnnouncement } from './moveAnnouncement';

export const endAdminAnnouncement: Handler<'endAdminAnnouncement'> = ({ path, ctx }) =>
  moveAnnouncement(ctx, path.id, 'end', async ({ state }) => {
    if (state === 'draft')
      throw new Problem('CONFLICT', {
        message: "It hasn't been published.",
        suggestions: ['Delete the draft.'],
      });
    if (state === 'ended') throw new Problem('CONFLICT', { message: 'Already ended.' });
    return { ended_at: new Date() };
  });
