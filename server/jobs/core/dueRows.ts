import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from '../../db/core/client';
import type { Database } from '../../db/core/schema';

interface Due<T extends keyof Database> {
  table: T;
  /** When a row was last taken. */
  looked_at: keyof Database[T] & string;
  /** How old that must be. */
  minutes: number;
  /** Rows worked on at a time. */
  limit: number;
  /** Rows per run; `limit` when absent. Each that is done makes room for the next, so slow ones don't delay the others. */
  most?: number;
  /** Aborted when the process exits: no further rows are taken. */
  stopping?: AbortSignal | undefined;
}

/**
 * Runs `work` for rows of a table that have not been checked for some minutes, oldest first. Any number of processes may
 * run it: each takes different rows, because the check time is written first.
 * @returns whether it stopped at its limit, so that more may be due
 */
export async function eachDue<T extends 'kms' | 'kms_contracts' | 'ai_upstreams'>(
  db: Db,
  { most, stopping, ...due }: Due<T>,
  work: (row: Selectable<Database[T]>) => Promise<void>,
  failed: (row: Selectable<Database[T]>, err: unknown) => void,
): Promise<boolean> {
  const running = new Set<Promise<void>>();
  let left = most ?? due.limit;
  try {
    while (stopping?.aborted !== true) {
      const free = Math.min(left, due.limit - running.size);
      const rows = await take(db, due, free);
      for (const row of rows) {
        const one = work(row)
          .catch((error: unknown) => failed(row, error))
          .finally(() => running.delete(one));
        running.add(one);
      }
      left -= rows.length;
      if (left === 0 || rows.length < free) break;
      await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  return left === 0;
}

async function take<T extends keyof Database>(
  db: Db,
  due: Due<T>,
  limit: number,
): Promise<Selectable<Database[T]>[]> {
  const { rows } = await takeQuery(due, limit).execute(db);
  return rows;
}

export function takeQuery<T extends keyof Database>(
  due: Pick<Due<T>, 'table' | 'looked_at' | 'minutes'>,
  limit: number,
): RawBuilder<Selectable<Database[T]>> {
  const table = sql.table(due.table);
  const at = sql.ref(due.looked_at);
  return sql<Selectable<Database[T]>>`
    update ${table} set ${at} = now() where id = any(array(
      select id from ${table}
      where state not in ('retired', 'disabled') and (${at} is null or ${at} < now() - make_interval(mins => ${due.minutes}))
      order by ${at} nulls first limit ${limit} for update skip locked
    )) returning *`;
}
