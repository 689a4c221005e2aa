import { watchPath } from '../../../console/lib/public/site';
import type { Handler } from '../types';

/** Mail programs and security scanners open links automatically, so this must change nothing. */
export const openAppWatch: Handler<'openAppWatch'> = async ({ query, ctx }) => ({
  status: 302,
  headers: { Location: ctx.config.publicUrl + watchPath(query.token) },
});
