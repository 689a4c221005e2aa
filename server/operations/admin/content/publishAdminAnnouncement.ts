import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { invalid } from '../change';
import { checkTarget, checkWorkspaces } from './announcement';
import { moveAnnouncement } from './moveAnnouncement';

export const publishAdminAnnouncement: Handler<'publishAdminAnnouncement'> = ({ path, ctx }) =>
  moveAnnouncement(ctx, path.id, 'publish', async (row, trx) => {
    if (row.state !== 'draft')
      throw new Problem('CONFLICT', { message: `It was published already: it is ${row.state}.` });
    if (row.ends_at && row.ends_at.getTime() <= Date.now())
      throw invalid('ends_at', 'It would be over at once: choose a later end.');
    // What it points at may have gone since it was written.
    await checkTarget(trx, row);
    await checkWorkspaces(trx, row.id, row, undefined);
    return { published_at: new Date() };
  });
