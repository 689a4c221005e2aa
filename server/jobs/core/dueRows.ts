import { sql, type Selectable } from 'kysely';
import type { Db } from '../../db/core/client';
import type { Database } from '../../db/core/schema';

/**
 * Runs `work` for rows of a table that have not been checked for some minutes, oldest first, in batches. Any
 * number of processes may run it: each takes different rows, because the check time is written first.
 */
export async function eachDue<T extends 'kms' | 'kms_contracts' | 'ai_upstreams'>(
  db: Db,
  due: { table: T; looked_at: keyof Database[T] & string; minutes: number; limit: number },
  work: (row: Selectable<Database[T]>) => Promise<void>,
  failed: (row: Selectable<Database[T]>, err: unknown) => void,
): Promise<void> {
  const table = sql.table(due.table);
  const at = sql.ref(due.looked_at);
  const { rows } = await sql<Selectable<Database[T]>>`
    update ${table} set ${at} = now() where id = any(array(
      select id from ${table}
      where state not in ('retired', 'disabled') and (${at} is null or ${at} < now() - make_interval(mins => ${due.minutes}))
      order by ${at} nulls first limit ${due.limit} for update skip locked
    )) returning *`.execute(db);
  await Promise.all(rows.map((row) => work(row).catch((error: unknown) => failed(row, error))));
}
