import type { Handler } from '../../types';
import { teamTemplateOf, templateReply } from './teamTemplate';

export const getTeamTemplate: Handler<'getTeamTemplate'> = async ({ path, ctx }) => {
  const body = await templateReply(ctx.db, await teamTemplateOf(ctx, path.template_id));
  return { status: 200, headers: { ETag: body.etag }, body };
};
