import { Problem } from '../../domain/core/problem';
import type { Context } from '../types';
import { userOf } from './caller';

/**
 * Actions that use paid resources or grant later access require a verified address; a token counts as its
 * owner.
 */
export function requireVerified(ctx: Context): void {
  if (userOf(ctx).email_verified_at !== null) return;
  // Clients show only the message of a 403, so it must say what to do.
  const next =
    ctx.config.smtpUrl === undefined
      ? "This server doesn't send mail. Ask an administrator for the link in the outbox."
      : 'Open the link in the confirmation email, or request a new one under Account settings.';
  throw new Problem('EMAIL_UNVERIFIED', { message: `${userOf(ctx).email} isn't confirmed yet. ${next}` });
}
