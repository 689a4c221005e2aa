import { Problem } from '../../domain/problem';
import type { Context } from '../types';
import { personOf } from './caller';

/** What costs somebody's machines, or lets them in later, needs an address that somebody has shown to be theirs; a token counts as its owner. */
export function requireVerified(ctx: Context): void {
  if (personOf(ctx).email_verified_at !== null) return;
  // Clients show the text of a 403 and nothing else, so what to do stands in it.
  const next =
    ctx.config.smtpUrl === undefined
      ? 'This server sends no mail: an administrator finds the link in the outbox.'
      : 'Open the link that was mailed to it, or have it sent again under Account settings.';
  throw new Problem('EMAIL_UNVERIFIED', { message: `${personOf(ctx).email} is not confirmed yet. ${next}` });
}
