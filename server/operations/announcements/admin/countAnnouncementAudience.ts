import { countAudience } from '../../../db/announcements/announcements';
import type { Handler } from '../../types';

/** Serves an unfinished form, so a missing target means an empty audience, not an error. */
export const countAnnouncementAudience: Handler<'countAnnouncementAudience'> = async ({ body, ctx }) => {
  const {
    audience,
    workspaces = [],
    teepod_id = null,
    node_id = null,
    kms_id = null,
    os_image_id = null,
  } = body;
  const users = await countAudience(ctx.db, {
    audience,
    workspaces,
    teepod_id,
    node_id,
    kms_id,
    os_image_id,
  });
  return { status: 200, body: { users } };
};
