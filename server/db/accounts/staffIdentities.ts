import type { Tx } from '../core/client';
import type { UserRow } from './usersTable';

/** Accounts by their subject at the staff's provider. */

interface Subject {
  issuer: string;
  subject: string;
}

export function findUserByStaffSubject(trx: Tx, { issuer, subject }: Subject): Promise<UserRow | undefined> {
  return trx
    .selectFrom('staff_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .selectAll('u')
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst();
}

/** Whether the account is linked to a subject of the provider. */
export async function hasStaffIdentity(trx: Tx, issuer: string, user_id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('staff_identities')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function linkStaffIdentity(trx: Tx, identity: Subject & { user_id: number }): Promise<void> {
  await trx.insertInto('staff_identities').values(identity).execute();
}

export async function noteStaffIdentityUse(trx: Tx, { issuer, subject }: Subject): Promise<void> {
  await trx
    .updateTable('staff_identities')
    .set({ last_used_at: new Date() })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

/** Providers vouched for an address; a link doesn't outlive it. */
export async function endStaffLinks(trx: Tx, user_id: number): Promise<void> {
  await trx.deleteFrom('staff_identities').where('user_id', '=', user_id).execute();
}
