import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Db, Tx } from './client';
import type { Database } from './schema';
import { isIn } from './states';

/** Tables whose rows one process works on at a time. */
type LeasedTable =
  | 'admin_bulk_jobs'
  | 'audit_destinations'
  | 'chat_bots'
  | 'chat_messages'
  | 'domains'
  | 'drains'
  | 'host_shards'
  | 'operations'
  | 'outbox'
  | 'periodic_leases'
  | 'rollouts'
  | 'webhooks';

interface LeaseRules<T> {
  table: T;
  /** Column that identifies a row; `id` unless given. */
  key?: string;
  /** Rows that may be claimed when unleased. */
  open: RawBuilder<unknown>;
  /** Rows on which a lease counts; defaults to `open`. */
  held?: RawBuilder<unknown>;
  /** How long the holder may stay silent before another worker takes the row. */
  seconds: number;
  /** Other columns to set when a row is claimed. */
  onTake?: RawBuilder<unknown>;
  /**
   * Other columns to set when a holder's row is released. Set it where `open` excludes held rows: expired
   * leases are then released together with those of dead workers.
   */
  onReturn?: RawBuilder<unknown>;
}

/** Columns of an unleased row. */
export const NO_LEASE = { lease_owner: null, lease_until: null } as const;

export const inStates = (...states: string[]): RawBuilder<boolean> => isIn('state', states);

/**
 * Leases on a table's rows. A row is worked on only while its `lease_owner` is the worker's own ID, so every
 * write by a holder has that condition. Leases run by the database's clock: by that of a worker whose clock is ahead,
 * others' would have expired.
 */
export function leasesOf<T extends LeasedTable>({
  table,
  key = 'id',
  open,
  held = open,
  seconds,
  onTake,
  onReturn,
}: LeaseRules<T>) {
  type Row = Selectable<Database[T]>;
  type Key = string | number;
  const rows = sql.table(table);
  const id = sql.ref(key);
  const free = sql`lease_owner = null, lease_until = null${onReturn ? sql`, ${onReturn}` : sql``}`;
  const until = sql<Date>`now() + make_interval(secs => ${seconds})`;
  const isFree = sql`(lease_until is null or lease_until < now())`;

  const isOwn = (row: Key, owner: string | null) =>
    sql<SqlBool>`${id} = ${row} and lease_owner = ${owner} and ${held}`;

  /** Claims the rows selected by `which` that are open and free. `also` replaces `onTake`. */
  async function take(
    db: Db,
    owner: string,
    which: RawBuilder<unknown>,
    { also = onTake }: { also?: RawBuilder<unknown> } = {},
  ): Promise<Row[]> {
    const taken = await sql<Row>`
      update ${rows} set ${also ? sql`${also}, ` : sql``}lease_owner = ${owner}, lease_until = ${until}
      where ${which} and ${open} and ${isFree} returning *`.execute(db);
    return taken.rows;
  }

  return {
    take,

    /** Whether rows can be claimed or are held, perhaps by a dead worker. Two questions, so that each finds its index. */
    waiting: sql<boolean>`(exists (select from ${rows} where ${open}) or exists (select from ${rows} where ${held}))`,

    /**
     * Claims up to `limit` open, free rows in the order of `order`. `after`: only rows with a higher key, for one lap
     * over rows that stay open.
     */
    claim: (
      db: Db,
      owner: string,
      limit: number,
      { order = key, after }: { order?: string; after?: number } = {},
    ): Promise<Row[]> =>
      take(
        db,
        owner,
        // As an array: a subquery that a plan repeats for each row would go beyond its limit.
        sql`${id} = any(array(
          select ${id} from ${rows} where ${open} and ${isFree}${after === undefined ? sql`` : sql` and ${id} > ${after}`}
          order by ${sql.ref(order)} limit ${limit} for update skip locked))`,
      ),

    /** Claims the free rows of `keys` and renews those already held. Returns all that `owner` holds afterward. */
    async hold(db: Db, owner: string, keys: readonly Key[]): Promise<Row[]> {
      const { rows: own } = await sql<Row>`
        update ${rows} set lease_owner = ${owner}, lease_until = ${until}
        where ${id}::text = any(${keys.map(String)}::text[]) and ${open} and (${isFree} or lease_owner = ${owner})
        returning *`.execute(db);
      return own;
    },

    /** Extends the lease; returns undefined when it is lost. `still` is a further condition for keeping it. */
    async renew<C extends keyof Row & string>(
      db: Db,
      row: Key,
      owner: string,
      columns: readonly C[] | '*',
      { still }: { still?: RawBuilder<unknown> } = {},
    ): Promise<Pick<Row, C> | undefined> {
      const renewed = await sql<Pick<Row, C>>`
        update ${rows} set lease_until = ${until}
        where ${isOwn(row, owner)}${still ? sql` and ${still}` : sql``}
        returning ${columns === '*' ? sql`*` : sql.join(columns.map((column) => sql.ref(column)))}`.execute(
        db,
      );
      return renewed.rows[0];
    },

    /** Locks the row for the transaction; returns undefined when another worker holds it or it is finished. */
    async lock(trx: Tx, row: Key, owner: string): Promise<Row | undefined> {
      const locked = await sql<Row>`
        select * from ${rows}
        where ${isOwn(row, owner)} for update`.execute(trx);
      return locked.rows[0];
    },

    /** Selects the row if the worker holds it: the condition of every statement by which a holder changes it. */
    isOwn,

    /**
     * Whether the worker holds the row, which the statement then locks: a condition of a single statement that changes
     * another table, as cheap as it can be.
     */
    isHeld: (row: Key, owner: string): RawBuilder<SqlBool> =>
      sql<SqlBool>`exists (select from ${rows} where ${isOwn(row, owner)} for update)`,

    async release(db: Db, row: Key, owner: string): Promise<void> {
      await sql`update ${rows} set ${free} where ${id} = ${row} and lease_owner = ${owner}`.execute(db);
    },

    /**
     * Releases everything held by the workers that `matches` selects. Called with workers known to be dead,
     * so nobody waits for their leases to expire.
     */
    async releaseHeldBy(db: Db, matches: (owner: string) => boolean): Promise<void> {
      const holders = await sql<{ lease_owner: string; expired: boolean }>`
        select lease_owner, bool_or(lease_until < now()) as expired from ${rows}
        where ${held} and lease_owner is not null group by lease_owner limit 1000`.execute(db);
      const owners = holders.rows.map(({ lease_owner }) => lease_owner).filter(matches);
      const expires = onReturn !== undefined && holders.rows.some(({ expired }) => expired);
      if (owners.length === 0 && !expires) return;
      await sql`
        update ${rows} set ${free} where ${held} and (
          lease_owner = any(${owners}::text[])${onReturn ? sql` or lease_until < now()` : sql``})`.execute(
        db,
      );
    },

    until,
  };
}
