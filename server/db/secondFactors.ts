import { sql } from 'kysely';
import type { Db, Tx } from './client';

export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  recovery_codes: number;
}

/** What a person can show besides the password. */
export async function countFactors(db: Db | Tx, user_id: number): Promise<FactorCounts> {
  const { rows } = await sql<FactorCounts>`
    select exists (select 1 from totp_credentials where user_id = ${user_id} and confirmed_at is not null) as totp,
      (select count(*)::int from passkeys where user_id = ${user_id}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${user_id} and used_at is null) as recovery_codes`.execute(
    db,
  );
  return rows[0] ?? { totp: false, passkeys: 0, recovery_codes: 0 };
}
