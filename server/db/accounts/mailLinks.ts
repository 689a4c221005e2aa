import { sql, type Selectable } from 'kysely';
import { hashToken, isWellFormedToken, newToken } from '../../domain/teams/token';
import type { Db, Tx } from '../core/client';
import type { MailLinksTable } from './mailLinksTable';

export type MailLinkRow = Selectable<MailLinksTable>;
export type LinkPurpose = MailLinkRow['purpose'];

const HOUR = 3600;

/** Link lifetimes in seconds. A link that sets a password grants the whole account, so it is short-lived. */
export const LINK_SECONDS: Record<LinkPurpose, number> = {
  verify_email: 24 * HOUR,
  reset_password: HOUR / 2,
  email_change_old: 24 * HOUR,
  email_change_new: 24 * HOUR,
};

/** Creates a link and deletes older ones for the same purpose. Only the return value holds the token. */
export async function createMailLink(
  trx: Tx,
  { purpose, user_id, email }: { purpose: LinkPurpose; user_id: number; email: string },
): Promise<{ token: string; expires_at: Date }> {
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
  await dropMailLinks(trx, user_id, [purpose]);
  const token = newToken('lnk');
  const expires_at = new Date(Date.now() + LINK_SECONDS[purpose] * 1000);
  await trx
    .insertInto('mail_links')
    .values({ token_hash: hashToken(token), purpose, user_id, email, expires_at })
    .execute();
  return { token, expires_at };
}

/** Returns the stored hash of a token, or null for malformed text, which needs no query. */
export const linkHash = (token: string): Buffer | null =>
  token.startsWith('thk_lnk_') && isWellFormedToken(token) ? hashToken(token) : null;

const usable = sql<boolean>`used_at is null and expires_at > now()`;

/** Returns the link if it is still valid, without using it up. */
export const findMailLink = (
  db: Db | Tx,
  token_hash: Buffer,
  purpose: LinkPurpose,
): Promise<MailLinkRow | undefined> =>
  db
    .selectFrom('mail_links')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .where('purpose', '=', purpose)
    .where(usable)
    .executeTakeFirst();

/** Uses the link up. Of concurrent requests, one gets it. */
export const takeMailLink = (
  trx: Tx,
  token_hash: Buffer,
  purposes: readonly LinkPurpose[],
): Promise<MailLinkRow | undefined> =>
  trx
    .updateTable('mail_links')
    .set({ used_at: new Date() })
    .where('token_hash', '=', token_hash)
    .where('purpose', 'in', purposes)
    .where(usable)
    .returningAll()
    .executeTakeFirst();

/** Without `purposes`, deletes all of the user's links. */
export async function dropMailLinks(
  trx: Tx,
  user_id: number,
  purposes?: readonly LinkPurpose[],
): Promise<void> {
  let query = trx.deleteFrom('mail_links').where('user_id', '=', user_id);
  if (purposes) query = query.where('purpose', 'in', purposes);
  await query.execute();
}
