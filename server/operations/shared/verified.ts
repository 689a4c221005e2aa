import { Problem } from '../../domain/problem';
import type { Context } from '../types';
import { personOf } from './caller';

/** What costs somebody's machines needs an address that somebody has shown to be theirs; a token counts as its owner. */
export function requireVerified(ctx: Context): void {
  if (personOf(ctx).email_verified_at !== null) return;
  throw new Problem('EMAIL_UNVERIFIED', {
    message: `${personOf(ctx).email} is not confirmed yet.`,
    suggestions: [
      'Open the link that was mailed to that address.',
      'No mail? Have it sent again under Account settings, or by POST /api/v1/auth/verify-email/resend.',
      ...(ctx.config.smtpUrl === undefined
        ? ['This server sends no mail: an administrator finds the link in the outbox.']
        : []),
    ],
  });
}
