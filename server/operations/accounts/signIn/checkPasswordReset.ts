import { findMailLink, linkHash } from '../../../db/accounts/mailLinks';
import { Problem } from '../../../domain/core/problem';
import { countingLinks } from '../../core/guessing';
import type { Handler } from '../../types';

/** Only checks the link; it stays valid. */
export const checkPasswordReset: Handler<'checkPasswordReset'> = countingLinks(async ({ body, ctx }) => {
  const token_hash = linkHash(body.token);
  const link = token_hash && (await findMailLink(ctx.db, token_hash, 'reset_password'));
  if (!link) throw new Problem('LINK_INVALID');
  return { status: 200, body: { email: link.email, expires_at: link.expires_at.toISOString() } };
});
