import { sql, type Kysely } from 'kysely';
import { errorCode, withTransaction, type Db, type Tx } from '../core/client';
import type { Database } from '../core/schema';
import { appendAudit } from '../audit/auditLog';
import { announcedToTeam } from '../platform/expiring';
import { eventCutoff } from './eventRetention';

/**
 * IDs per partition. Partitioned by ID rather than month: pages, streams and references query by ID, so
 * PostgreSQL reads only the relevant partitions, and IDs grow with time. A smaller table isn't divided, since
 * partitions would only add cost.
 */
export const EVENTS_PER_PARTITION = 50_000_000;

/** Default partition, so that no event is ever refused. */
const REST = 'events_rest';

/** The result of a run. `held`: the table was locked, so the next run tries again. */
export type PartitionStep = 'none' | 'older_processes' | 'held' | 'divided' | 'changed';

/**
 * Divides the events table into partitions once it is large, creates the next ones ahead, and drops those whose
 * events are all past retention, which was announced (`announceEventExpiry`, `announceExpiry`). No step blocks others for more
 * than a moment: if a lock isn't free within a second, the step is left to the next run.
 */
export async function keepEventPartitions(
  db: Db,
  size = EVENTS_PER_PARTITION,
  now = new Date(),
): Promise<PartitionStep> {
  try {
    if (!(await isDivided(db))) return await divide(db, size);
    const changed = [await makeNext(db, size), await dropExpired(db, now)];
    return changed.includes(true) ? 'changed' : 'none';
  } catch (error) {
    if (errorCode(error) === LOCK_NOT_AVAILABLE) return 'held';
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a change of the table that gives up rather than wait for a lock, because everyone else would queue
 * behind it.
 */
const change = <T>(db: Db, work: (trx: Tx) => Promise<T>): Promise<T> =>
  withTransaction(db, async (trx) => {
    await sql`set local lock_timeout = '1s'`.execute(trx);
    return work(trx);
  });

async function isDivided(db: Db): Promise<boolean> {
  const { rows } = await sql<{ divided: boolean }>`
    select relkind = 'p' as divided from pg_class where oid = 'events'::regclass`.execute(db);
  return rows[0]?.divided === true;
}

const LAST = sql<number>`coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'id')::regclass), 0)`;

/** Returns the highest ID issued; 0 if none. Read from the sequence, so it touches no partition. */
async function lastEventId(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ id: number }>`select ${LAST} as id`.execute(db);
  return rows[0]?.id ?? 0;
}

const RECENT_MS = 60_000;
const recent = new WeakMap<object, { id: number; at: number }>();

/**
 * Like `lastEventId`, but up to a minute old. Only for choosing a starting point, which every page of events
 * needs.
 */
export async function recentEventId(db: Kysely<Database>): Promise<number> {
  const known = recent.get(db);
  if (known && performance.now() - known.at < RECENT_MS) return known.id;
  const id = await lastEventId(db);
  recent.set(db, { id, at: performance.now() });
  return id;
}

/**
 * Makes the table the first partition of a new one. A constraint, validated while others write, already proves
 * that all its IDs are below the partition's end, so the change itself reads no rows.
 */
async function divide(db: Db, size: number): Promise<PartitionStep> {
  const last = await lastEventId(db);
  if (last < size) return 'none';
  if (await hasOlderProcess(db)) return 'older_processes';
  const bound = await boundOf(db);
  // Refusing events is worse than checking again.
  if (bound && last > bound.end - size / 2) {
    await change(db, (trx) => sql`alter table events drop constraint ${sql.id(bound.name)}`.execute(trx));
    return 'changed';
  }
  const end = bound?.end ?? last + size;
  const name = `events_before_${end}`;
  if (!bound)
    await change(db, (trx) =>
      sql`alter table events add constraint ${sql.id(name)} check (id < ${sql.lit(end)}) not valid`.execute(
        trx,
      ),
    );
  if (!bound?.valid)
    await withTransaction(db, async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`alter table events validate constraint ${sql.id(name)}`.execute(trx);
    });
  await change(db, (trx) => swap(trx, name, end));
  await change(db, (trx) => addPartition(trx, end, size));
  return 'divided';
}

/** Older processes insert host reports with a conflict target that a divided table doesn't have. */
async function hasOlderProcess(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from workers where not divides_events and seen_at > now() - interval '5 minutes') as found`.execute(
    db,
  );
  return rows[0]?.found === true;
}

async function boundOf(db: Db): Promise<{ name: string; end: number; valid: boolean } | undefined> {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select conname as name, convalidated as valid from pg_constraint
    where conrelid = 'events'::regclass and conname ~ '^events_before_[0-9]+$'`.execute(db);
  const [row] = rows;
  return row && { ...row, end: Number(row.name.slice('events_before_'.length)) };
}

async function swap(trx: Tx, old: string, end: number): Promise<void> {
  const keys = await readParts(
    trx,
    sql`select conname as name, pg_get_constraintdef(oid) as text, confrelid::regclass::text as other from pg_constraint
      where conrelid = 'events'::regclass and contype = 'f' order by conname`,
  );
  // Locks referenced tables first, in the same order as inserts of an event about a change.
  for (const other of new Set(keys.map((key) => key.other)))
    await run(trx, `lock table ${other} in share row exclusive mode`);
  await run(trx, 'lock table events in access exclusive mode');
  const triggers = await readParts(
    trx,
    sql`select tgname as name, pg_get_triggerdef(oid) as text, '' as other from pg_trigger
      where tgrelid = 'events'::regclass and not tgisinternal order by tgname`,
  );
  const indexes = await readParts(
    trx,
    sql`select c.relname as name, pg_get_indexdef(i.indexrelid) as text,
        case when i.indisprimary then 'primary' when i.indisunique then 'unique' else '' end as other
      from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'events'::regclass order by 1`,
  );
  const last = await lastEventId(trx);
  for (const { name } of triggers) await run(trx, `drop trigger "${name}" on events`);
  for (const { name } of indexes)
    await run(trx, `alter index "${name}" rename to "${old}${name.slice('events'.length)}"`);
  await run(trx, `alter table events alter column id drop identity`);
  await run(trx, `alter table events rename to ${old}`);
  await run(
    trx,
    `create table events (like ${old} including all excluding identity excluding indexes) partition by range (id)`,
  );
  await run(trx, `alter table events drop constraint ${old}`);
  await run(trx, `alter table events alter column id add generated always as identity`);
  // Not as the sequence's start: backups and later runs read the last value.
  await run(trx, `select setval(pg_get_serial_sequence('events', 'id'), ${last})`);
  for (const { name, text, other } of indexes)
    // Other unique indexes would need the ID, so each partition has its own.
    if (other === 'primary') await run(trx, `alter table events add constraint "${name}" primary key (id)`);
    else if (other === '') await run(trx, text);
  for (const { name, text } of keys) await run(trx, `alter table events add constraint "${name}" ${text}`);
  for (const { text } of triggers) await run(trx, text);
  await run(trx, `alter table events attach partition ${old} for values from (minvalue) to (${end})`);
  await run(trx, `alter table ${old} drop constraint ${old}`);
  await run(trx, `create table ${REST} partition of events default`);
  await ownKeys(trx, REST);
}

async function readParts(
  trx: Tx,
  query: ReturnType<typeof sql>,
): Promise<{ name: string; text: string; other: string }[]> {
  return (await query.execute(trx)).rows as { name: string; text: string; other: string }[];
}

const run = (trx: Tx, statement: string) => sql.raw(statement).execute(trx);

/** Makes host reports unique within a partition. Earlier partitions are searched before an insert. */
const ownKeys = (trx: Tx, partition: string) =>
  run(
    trx,
    `create unique index ${partition}_host_once on ${partition} (cvm_id, host_key) where host_key is not null`,
  );

async function addPartition(trx: Tx, from: number, size: number): Promise<void> {
  const name = `events_before_${from + size}`;
  await run(trx, `create table ${name} partition of events for values from (${from}) to (${from + size})`);
  await ownKeys(trx, name);
}

/** Returns the partitions with bounds, lowest first. */
async function partitionsOf(db: Db): Promise<{ name: string; end: number }[]> {
  const { rows } = await sql<{ name: string; end: string }>`
    select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from $$TO [(]'([0-9]+)'[)]$$) as "end"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname <> ${REST}`.execute(db);
  return rows.map(({ name, end }) => ({ name, end: Number(end) })).sort((a, b) => a.end - b.end);
}

/** Creates the partition after the newest one before it is needed. @returns whether it did */
async function makeNext(db: Db, size: number): Promise<boolean> {
  const last = await lastEventId(db);
  const end = (await partitionsOf(db)).at(-1)?.end ?? 0;
  if (end - last > size) return false;
  // After a long time without workers, events are in the catch-all partition, and more may arrive until the
  // change is done.
  const from = last < end ? end : last + Math.ceil(size / 10);
  await change(db, (trx) => addPartition(trx, from, size));
  return true;
}

/** Drops the lowest partition if all its events are expired, with an audit row. @returns whether it did */
async function dropExpired(db: Db, now: Date): Promise<boolean> {
  const last = await lastEventId(db);
  const [oldest] = await partitionsOf(db);
  if (!oldest || oldest.end > last) return false;
  const cutoff = await eventCutoff(db, now);
  if (cutoff === null) return false;
  // Newest first: searching in any order for a kept event would read all pages, including empty ones, in every
  // run.
  for (const order of [sql`order by id desc limit 1`, sql``]) {
    const { rows } = await sql`select from (select created_at from ${sql.id(oldest.name)} ${order}) e
      where created_at >= ${cutoff} limit 1`.execute(db);
    if (rows.length > 0) return false;
  }
  const { rows: waiting } = await sql`
    select t.id from teams t cross join lateral (
      select team_id, created_at from ${sql.id(oldest.name)} where team_id = t.id order by id desc limit 1) e
    where not ${announcedToTeam('events', 'e.team_id', 'e.created_at', sql`${now}::timestamptz`)} limit 1`.execute(
    db,
  );
  if (waiting.length > 0) return false;
  await change(db, async (trx) => {
    await sql`drop table ${sql.id(oldest.name)}`.execute(trx);
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'events.partition_drop',
        target_kind: 'event_partition',
        target_id: oldest.name,
        after: { ids_below: oldest.end, created_before: cutoff.toISOString() },
      },
    ]);
  });
  return true;
}
