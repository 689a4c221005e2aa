import type { Selectable } from 'kysely';
import type { Db, Tx } from '../core/client';
import { dropMailLinks } from './mailLinks';
import type { EmailChangesTable } from './emailChangesTable';

export type EmailChangeRow = Selectable<EmailChangesTable>;

/** Returns the change awaiting confirmation. */
export const findEmailChange = (db: Db | Tx, user_id: number): Promise<EmailChangeRow | undefined> =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('expires_at', '>', new Date())
    .executeTakeFirst();

/** Replaces any earlier change. */
export function putEmailChange(
  trx: Tx,
  change: { user_id: number; email: string; old_confirmed_at: Date | null; expires_at: Date },
): Promise<EmailChangeRow> {
  const values = { ...change, new_confirmed_at: null, created_at: new Date() };
  return trx
    .insertInto('email_changes')
    .values(values)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Records one mailbox's confirmation. `new_email`: the address a link to the new mailbox was sent to, null
 * for a link to the old one; a link to another address doesn't confirm this change. Returns undefined when
 * the change was canceled or has expired.
 */
export function confirmEmailChange(
  trx: Tx,
  user_id: number,
  new_email: string | null,
): Promise<EmailChangeRow | undefined> {
  const query = trx
    .updateTable('email_changes')
    .set({ [new_email === null ? 'old_confirmed_at' : 'new_confirmed_at']: new Date() })
    .where('user_id', '=', user_id)
    .where('expires_at', '>', new Date());
  return (new_email === null ? query : query.where('email', '=', new_email))
    .returningAll()
    .executeTakeFirst();
}

/** Deletes the change and its links. Returns false when there was none. */
export async function dropEmailChange(trx: Tx, user_id: number): Promise<boolean> {
  const gone = await trx.deleteFrom('email_changes').where('user_id', '=', user_id).executeTakeFirst();
  await dropMailLinks(trx, user_id, ['email_change_old', 'email_change_new']);
  return gone.numDeletedRows > 0n;
}
