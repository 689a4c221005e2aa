import { sql, type Selectable } from 'kysely';
import type { Db } from '../db/client';
import type { Database } from '../db/schema';

/**
 * Does `work` for the rows of a table that nobody looked at for some minutes, longest ago first, some at a time. Any
 * number of processes may: each takes others, as the time of a look is written before it.
 */
export async function eachDue<T extends 'kms' | 'kms_contracts'>(
  db: Db,
  due: { table: T; looked_at: keyof Database[T] & string; minutes: number; at_once: number },
  work: (row: Selectable<Database[T]>) => Promise<void>,
  failed: (row: Selectable<Database[T]>, err: unknown) => void,
): Promise<void> {
  const table = sql.table(due.table);
  const at = sql.ref(due.looked_at);
  const { rows } = await sql<Selectable<Database[T]>>`
    update ${table} set ${at} = now() where id in (
      select id from ${table}
      where state <> 'retired' and (${at} is null or ${at} < now() - make_interval(mins => ${due.minutes}))
      order by ${at} nulls first limit ${due.at_once} for update skip locked
    ) returning *`.execute(db);
  await Promise.all(rows.map((row) => work(row).catch((error: unknown) => failed(row, error))));
}
