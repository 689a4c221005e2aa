import { sql, type Kysely } from 'kysely';
import type { EventFields } from '../../domain/activity/eventResponse';
import { withTransaction } from '../core/client';
import { EVENTS_PER_PARTITION, recentEventId } from './eventPartitions';
import { eventsById, kindIs, whereEvent, type EventFilter } from './events';
import type { Database } from '../core/schema';

/** Rows read in the first step of a search; each further step reads eight times as many. */
const FIRST_WINDOW = 256;
const MAX_WINDOW = 16_384;
/** After this time a partial page is returned: rare matches spread over several pages, none of them slow. */
const BUDGET_MS = 60;
/** With more matches than this, the words are too common for the word index to be the starting point. */
const MAX_HITS = 5_000;
/** Host events are recorded up to this long after they happened, under the time they happened. */
export const LATE_MS = 3_600_000;

export interface EventPage {
  rows: EventFields[];
  /** Events below this number have not been searched; null when there are none. */
  next: number | null;
}

/**
 * Returns the newest `limit` events older than number `before`, newest first. Every filter is answered from
 * an index in newest-first order and reads a bounded number of rows, so a page may be short or empty while
 * more exist.
 */
export async function searchEvents(
  db: Kysely<Database>,
  filter: EventFilter,
  before: number | undefined,
  limit: number,
  per_partition = EVENTS_PER_PARTITION,
): Promise<EventPage> {
  const [from, to] = await idRange(db, filter);
  const way = await wayOf(db, filter);
  if (way.keys.length === 0) return { rows: [], next: null };
  let cursor = Math.min(before ?? Number.MAX_SAFE_INTEGER, to);
  // Most pages fill up before reaching the partitions that this skips.
  const last = await recentEventId(db);
  let floor = Math.max(from, Math.min(cursor, last + 1) - per_partition);
  const found: number[] = [];
  let end: number | null = null;
  let words = way.column === 'team_id' && Boolean(filter.texts?.length);
  const began = performance.now();
  for (let window = FIRST_WINDOW; ; window = Math.min(window * 8, MAX_WINDOW)) {
    // Common words are among the newest events; for rare ones the word index is queried once.
    if (window === MAX_WINDOW && words) {
      words = false;
      const hits = await idsWithWords(db, filter, { from, before: cursor }, limit + 1 - found.length);
      if (hits) {
        found.push(...hits);
        break;
      }
    }
    const range = { from: floor, before: cursor, divided: last >= per_partition };
    const looked = await look(db, filter, way, range, window, limit + 1 - found.length);
    found.push(...looked.ids);
    if (found.length > limit) break;
    if (looked.edge !== null) cursor = looked.edge;
    else if (floor <= from) break;
    else [cursor, floor] = [Math.min(cursor, floor + 1), from];
    if (performance.now() - began <= BUDGET_MS) continue;
    // On a slow machine, too, the word index is queried before the page ends short.
    if (words) window = MAX_WINDOW;
    else {
      end = cursor;
      break;
    }
  }
  return page(db, found, limit, end);
}

async function page(
  db: Kysely<Database>,
  ids: readonly number[],
  limit: number,
  end: number | null,
): Promise<EventPage> {
  const shown = ids.slice(0, limit);
  const rows = await eventsById(db, shown, 'desc');
  return { rows, next: ids.length > limit ? (shown.at(-1) ?? null) : end };
}

interface Way {
  /** The column to look up in an index that ends with `id`; those in LEADING follow the team. */
  column: 'operation_id' | 'cvm_id' | 'app_id' | 'actor_id' | 'kind' | 'severity' | 'team_id';
  keys: readonly (number | string)[];
}

const LEADING: ReadonlySet<Way['column']> = new Set(['actor_id', 'kind', 'severity']);

/** Chooses the index to walk: the first that narrows most. */
async function wayOf(db: Kysely<Database>, filter: EventFilter): Promise<Way> {
  const { operation_ids, cvm_ids, app_ids, actor_ids, kind, severities } = filter;
  const kinds = kind === undefined ? filter.kinds : [kind];
  if (operation_ids) return { column: 'operation_id', keys: operation_ids };
  if (cvm_ids) return { column: 'cvm_id', keys: cvm_ids };
  if (app_ids) return { column: 'app_id', keys: app_ids };
  if (actor_ids && !actor_ids.includes(null)) return { column: 'actor_id', keys: actor_ids as number[] };
  if (kinds) return { column: 'kind', keys: await kindsLike(db, filter.team_id, kinds) };
  if (severities && !severities.includes('info')) return { column: 'severity', keys: severities };
  return { column: 'team_id', keys: [filter.team_id] };
}

/** Returns the team's event kinds that match any pattern, using a skip scan over the index. */
async function kindsLike(
  db: Kysely<Database>,
  team_id: number,
  patterns: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    with recursive kinds as (
      (select kind from events where team_id = ${team_id} order by kind limit 1)
      union all
      select (select kind from events where team_id = ${team_id} and kind > k.kind order by kind limit 1)
      from kinds k where k.kind is not null
    )
    select kind from kinds where kind is not null and (${kindIs(sql`kind`, patterns)}) limit 500`.execute(db);
  return rows.map(({ kind }) => kind);
}

interface Looked {
  /** Matches, newest first. */
  ids: number[];
  /** Rows below this number have not been read; null when there are none. */
  edge: number | null;
}

/** Reads about `window` rows along the index, newest first. */
async function look(
  db: Kysely<Database>,
  filter: EventFilter,
  { column, keys }: Way,
  { from, before, divided }: { from: number; before: number; divided: boolean },
  window: number,
  limit: number,
): Promise<Looked> {
  const each = Math.max(16, Math.ceil(window / keys.length));
  // Ordered by index position: with `team_id = …` the planner may walk every team's events instead, which
  // takes very long when none of the newest belong to this team.
  const team = LEADING.has(column) ? sql`events.team_id, ` : sql``;
  const teamKey = LEADING.has(column) ? sql`${filter.team_id}::bigint, ` : sql``;
  const place = sql`(${team}events.${sql.ref(column)}, events.id)`;
  const backwards = sql`${LEADING.has(column) ? sql`events.team_id desc, ` : sql``}events.${sql.ref(column)} desc, events.id desc`;
  // PostgreSQL chooses partitions by plain conditions only.
  // Where a key wasn't read to its end, only rows above its last one are complete.
  const { rows } = await sql<{ ids: number[] | null; edge: number }>`
    with looked as materialized (
      select k.key, e.id, e.fits
      from unnest(${[...keys]}::${sql.raw(typeof keys[0] === 'string' ? 'text' : 'bigint')}[]) k(key)
      cross join lateral (
        select events.id, events.team_id = ${filter.team_id} and ${whereEvent(filter)} as fits from events
        where ${place} > (${teamKey}k.key, ${from}::bigint) and ${place} < (${teamKey}k.key, ${before}::bigint)
          ${divided ? sql`and events.id > ${from}::bigint and events.id < ${before}::bigint` : sql``}
          and ${column === 'severity' ? sql`events.severity <> 'info'` : sql`events.${sql.ref(column)} is not null`}
        order by ${backwards} limit ${each}
      ) e
    ), edge as (
      select coalesce(max(last), 0) as id
      from (select min(id) as last, count(*) as n from looked group by key) ends where n = ${each}
    )
    select (select array_agg(id order by id desc) from (
        select looked.id from looked where fits and looked.id >= edge.id order by looked.id desc limit ${limit}
      ) fitting) as ids, edge.id as edge
    from edge`.execute(db);
  const { ids, edge } = rows[0] ?? { ids: null, edge: 0 };
  return { ids: (ids ?? []).map(Number), edge: edge === 0 ? null : Number(edge) };
}

/**
 * Returns the numbers of events with all the words, from the word index; null when the words are so common
 * that walking back in time finds them sooner.
 */
async function idsWithWords(
  db: Kysely<Database>,
  filter: EventFilter,
  { from, before }: { from: number; before: number },
  limit: number,
): Promise<number[] | null> {
  const hits = await withTransaction(db, async (trx) => {
    // No other index can answer this query, and a wrong estimate would scan the whole table.
    await sql`set local enable_seqscan = off`.execute(trx);
    const team = sql`${`'team ${filter.team_id}'`}::tsquery`;
    const words = filter.texts!.map((text) => sql`coalesce(event_words_query(${text}), ${team})`);
    const { rows } = await sql<{ id: number }>`
      select id from events where search @@ (${team} && ${sql.join(words, sql` && `)}) limit ${MAX_HITS + 1}`.execute(
      trx,
    );
    return rows.length > MAX_HITS ? null : rows.map(({ id }) => id);
  });
  if (!hits) return null;
  const asked = hits.filter((id) => id > from && id < before);
  const { rows } = await sql<{ id: number }>`
    select id from events where id = any(${asked}::bigint[]) and ${whereEvent(filter)}
    order by id desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the range of numbers, (from, to), that covers the requested time. */
async function idRange(
  db: Kysely<Database>,
  { team_id, after, before }: EventFilter,
): Promise<[number, number]> {
  const nearest = async (at: Date, order: 'asc' | 'desc'): Promise<number | null> => {
    const { rows } = await sql<{ id: number }>`
      select id from events where team_id = ${team_id}
        and created_at ${order === 'desc' ? sql`<` : sql`>=`} ${at}
      order by created_at ${sql.raw(order)} limit 1`.execute(db);
    return rows[0] ? Number(rows[0].id) : null;
  };
  const [from, to] = await Promise.all([
    after ? nearest(new Date(after.getTime() - LATE_MS), 'desc') : null,
    before ? nearest(new Date(before.getTime() + LATE_MS), 'asc') : null,
  ]);
  return [from ?? 0, to ?? Number.MAX_SAFE_INTEGER];
}

/** Yields all matching events, newest first. Each batch is a search, so it may be empty. */
export async function* everyEvent(
  db: Kysely<Database>,
  filter: EventFilter,
  batch = 200,
): AsyncGenerator<EventFields[]> {
  for (let before: number | undefined; ;) {
    const { rows, next } = await searchEvents(db, filter, before, batch);
    yield rows;
    if (next === null) return;
    before = next;
  }
}
