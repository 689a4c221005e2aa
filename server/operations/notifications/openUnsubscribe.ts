import type { Handler } from '../types';

/** Mail programs and security scanners open links automatically, so this must change nothing. */
export const openUnsubscribe: Handler<'openUnsubscribe'> = async ({ ctx }) => ({
  status: 302,
  headers: { Location: `${ctx.config.publicUrl}/account/settings?section=notifications` },
});
