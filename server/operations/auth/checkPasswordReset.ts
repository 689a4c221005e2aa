import { findMailLink, linkHash } from '../../db/mailLinks';
import { Problem } from '../../domain/problem';
import type { Handler } from '../types';

/** Looks only: the link works as before. */
export const checkPasswordReset: Handler<'checkPasswordReset'> = async ({ body, ctx }) => {
  const token_hash = linkHash(body.token);
  const link = token_hash && (await findMailLink(ctx.db, token_hash, 'reset_password'));
  if (!link) throw new Problem('LINK_INVALID');
  return { status: 200, body: { email: link.email, expires_at: link.expires_at.toISOString() } };
};
