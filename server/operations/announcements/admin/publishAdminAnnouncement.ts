import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { invalid } from '../../core/invalid';
import { checkTarget, checkWorkspaces } from './announcement';
import { moveAnnouncement } from './moveAnnouncement';

export const publishAdminAnnouncement: Handler<'publishAdminAnnouncement'> = ({ path, ctx }) =>
  moveAnnouncement(ctx, path.id, 'publish', async (row, trx) => {
    if (row.state !== 'draft')
      throw new Problem('CONFLICT', { message: `Already published (${row.state}).` });
    if (row.ends_at && row.ends_at.getTime() <= Date.now())
      throw invalid('ends_at', 'The end is in the past. Choose a later one.');
    // The target may have been deleted since the draft was written.
    await checkTarget(trx, row);
    await checkWorkspaces(trx, row.id, row, undefined);
    return { published_at: new Date() };
  });
