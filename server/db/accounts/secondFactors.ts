import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { UserRow } from './usersTable';

export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  recovery_codes: number;
}

/** Counts the factors a user can present besides the password. */
export async function countFactors(db: Db | Tx, user_id: number): Promise<FactorCounts> {
  const { rows } = await sql<FactorCounts>`
    select exists (select 1 from totp_credentials where user_id = ${user_id} and confirmed_at is not null) as totp,
      (select count(*)::int from passkeys where user_id = ${user_id}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${user_id} and used_at is null) as recovery_codes`.execute(
    db,
  );
  return rows[0] ?? { totp: false, passkeys: 0, recovery_codes: 0 };
}

export function lockUser(trx: Tx, user_id: number): Promise<UserRow | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', user_id).forUpdate().executeTakeFirst();
}

/** Records that the user has a second factor and this session presented it. */
export async function markSecondFactor(trx: Tx, user_id: number, session_id: number | null): Promise<void> {
  await sql`update users set second_factor_at = now() where id = ${user_id} and second_factor_at is null`.execute(
    trx,
  );
  await sql`update sessions set second_factor_at = now() where id = ${session_id} and user_id = ${user_id}`.execute(
    trx,
  );
}

/** The user has no second factor left, so no session has presented one and no sign-in waits for one. */
export async function clearSecondFactor(trx: Tx, user_id: number): Promise<void> {
  await sql`update users set second_factor_at = null where id = ${user_id}`.execute(trx);
  await sql`update sessions set second_factor_at = null where user_id = ${user_id}`.execute(trx);
  await sql`delete from pending_sign_ins where user_id = ${user_id}`.execute(trx);
}
