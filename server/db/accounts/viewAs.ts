import { sql } from 'kysely';
import type { Tx } from '../core/client';

export interface NewViewAs {
  session_id: number;
  user_id: number;
  staff_user_id: number;
  reason: string;
  minutes: number;
}

/** Starts impersonation; it takes effect with the session's next request. @returns when it ends */
export async function startViewAs(trx: Tx, { minutes, ...row }: NewViewAs): Promise<Date> {
  const { expires_at } = await trx
    .insertInto('view_as')
    .values({ ...row, expires_at: sql<Date>`now() + make_interval(mins => ${minutes})` })
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet((eb) => ({
        user_id: eb.ref('excluded.user_id'),
        staff_user_id: eb.ref('excluded.staff_user_id'),
        reason: eb.ref('excluded.reason'),
        created_at: sql<Date>`now()`,
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** Returns false when the session isn't impersonating. */
export async function endViewAs(trx: Tx, session_id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('view_as')
    .where('session_id', '=', session_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the teams whose audit log must record it. */
export async function teamIdsOf(trx: Tx, user_id: number, limit: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('memberships as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .select('m.team_id')
    .where('m.user_id', '=', user_id)
    .where('t.deleted_at', 'is', null)
    .orderBy('m.is_default', 'desc')
    .orderBy('m.team_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.team_id);
}
