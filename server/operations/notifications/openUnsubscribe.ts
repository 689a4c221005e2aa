import type { Handler } from '../types';

/** Mail programs, and what protects them, look at addresses of their own accord: that must change nothing. */
export const openUnsubscribe: Handler<'openUnsubscribe'> = async ({ ctx }) => ({
  status: 302,
  headers: { Location: `${ctx.config.publicUrl}/account/settings?section=notifications` },
});
