import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from './client';
import type { Database } from './schema';

interface Leased<T> {
  table: T;
  /** States in which there is something to do. */
  live: readonly string[];
  /** How long a worker may be silent before another takes the row. */
  seconds: number;
  /** What else taking a row in hand sets. */
  begin?: RawBuilder<unknown>;
}

/** Leases on the rows of a table: a row is worked on only while its `lease_owner` is still the worker's own name. */
export function leasesOf<T extends 'admin_bulk_jobs' | 'drains' | 'rollouts'>({
  table,
  live,
  seconds,
  begin,
}: Leased<T>) {
  const rows = sql.table(table);
  // Written out, so that the partial indexes of these states serve.
  const isLive = sql`state in (${sql.join(live.map((state) => sql.lit(state)))})`;
  const free = sql`lease_owner = null, lease_until = null`;
  return {
    /** Takes live rows nobody looks at right now; give them back with `release`. */
    async claim(db: Db, owner: string, limit: number): Promise<Selectable<Database[T]>[]> {
      const claimed = await sql<Selectable<Database[T]>>`
        update ${rows} set ${begin ? sql`${begin}, ` : sql``}
          lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${seconds})
        where id in (
          select id from ${rows} where ${isLive} and (lease_until is null or lease_until < now())
          order by id limit ${limit} for update skip locked)
        returning *`.execute(db);
      return claimed.rows;
    },

    async release(db: Db, id: number, owner: string): Promise<void> {
      await sql`update ${rows} set ${free} where id = ${id} and lease_owner = ${owner}`.execute(db);
    },

    /** Gives back what workers held that `isDead` knows to be gone. */
    async releaseOf(db: Db, isDead: (owner: string) => boolean): Promise<void> {
      const held = await sql<{ lease_owner: string }>`
        select distinct lease_owner from ${rows} where ${isLive} and lease_owner is not null limit 100`.execute(
        db,
      );
      const dead = held.rows.map(({ lease_owner }) => lease_owner).filter(isDead);
      if (dead.length === 0) return;
      await sql`update ${rows} set ${free} where ${isLive} and lease_owner = any(${dead}::text[])`.execute(
        db,
      );
    },
  };
}
