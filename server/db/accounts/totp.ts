import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { TotpCredentialsTable } from './totpCredentialsTable';

export type TotpRow = Selectable<TotpCredentialsTable>;

export function findTotp(db: Db | Tx, user_id: number): Promise<TotpRow | undefined> {
  return db.selectFrom('totp_credentials').selectAll().where('user_id', '=', user_id).executeTakeFirst();
}

/**
 * Stores a secret awaiting its first code, replacing another pending one; returns false when one is already
 * set up.
 */
export async function putTotp(trx: Tx, user_id: number, sealed_secret: string): Promise<boolean> {
  const row = await trx
    .insertInto('totp_credentials')
    .values({ user_id, sealed_secret })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret, last_step: null, created_at: new Date() })
        .where('totp_credentials.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Accepts the code of a time step once, for any purpose; of concurrent uses, one succeeds. `confirm` also
 * finishes the setup. The secret is compared too, because it may have been replaced since it was read.
 */
export async function acceptTotpStep(
  trx: Tx,
  { user_id, sealed_secret }: Pick<TotpRow, 'user_id' | 'sealed_secret'>,
  step: number,
  { confirm = false }: { confirm?: boolean } = {},
): Promise<boolean> {
  const now = sql<Date>`now()`;
  const row = await trx
    .updateTable('totp_credentials')
    .set({ last_step: step, last_used_at: now, ...(confirm ? { confirmed_at: now } : {}) })
    .where('user_id', '=', user_id)
    .where('sealed_secret', '=', sealed_secret)
    .where('confirmed_at', confirm ? 'is' : 'is not', null)
    .where((row) => row.or([row('last_step', 'is', null), row('last_step', '<', step)]))
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether one was set up; deletes a pending one too. */
export async function deleteTotpRow(trx: Tx, user_id: number): Promise<boolean> {
  const row = await trx
    .deleteFrom('totp_credentials')
    .where('user_id', '=', user_id)
    .returning('confirmed_at')
    .executeTakeFirst();
  return (row?.confirmed_at ?? null) !== null;
}
