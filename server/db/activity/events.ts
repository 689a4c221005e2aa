import { sql, type Kysely, type RawBuilder } from 'kysely';
import { likeOfGlob, matchesGlob } from '../../domain/core/glob';
import type { EventFields } from '../../domain/activity/eventResponse';
import type { Database } from '../core/schema';
import type { EventRow } from './eventsTable';

interface Flat {
  id: number;
  kind: string;
  severity: EventRow['severity'];
  message: string;
  data: EventRow['data'];
  created_at: Date;
  app_id: string | null;
  cvm_public_id: string | null;
  cvm_name: string | null;
  vm_uuid: string | null;
  correlation_id: string | null;
  user_public_id: string | null;
  username: string | null;
  avatar: string | null;
  keys: EventKeys;
}

/** A row's references, for deciding whether a filter matches it. */
interface EventKeys {
  team_id: number;
  app_id: number | null;
  cvm_id: number | null;
  operation_id: number | null;
  actor_id: number | null;
}

export interface ReadEvent extends EventFields {
  keys: EventKeys;
}

/** All given conditions must hold. An empty list matches nothing. */
export interface EventFilter {
  team_id: number;
  app_ids?: readonly number[] | undefined;
  cvm_ids?: readonly number[] | undefined;
  operation_ids?: readonly number[] | undefined;
  /** User numbers; null: automatic, caused by no user. */
  actor_ids?: readonly (number | null)[] | undefined;
  /** A kind or its first part, within what `kinds` allows. */
  kind?: string | undefined;
  /** Kinds, their first parts, or patterns with `*`. */
  kinds?: readonly string[] | undefined;
  severities?: readonly EventRow['severity'][] | undefined;
  /** Each must occur in the message, from the start of a word. */
  texts?: readonly string[] | undefined;
  after?: Date | undefined;
  before?: Date | undefined;
  without?: Pick<
    EventFilter,
    'app_ids' | 'cvm_ids' | 'operation_ids' | 'actor_ids' | 'kinds' | 'severities' | 'texts'
  >;
}

export type EventRange =
  /** Newer than this, oldest first. */
  | { after: number }
  /** Exactly these, oldest first. */
  | { ids: readonly number[] };

/** Returns at most `limit` events. Rows are selected before any join, so that the index decides. */
export function listEvents(
  db: Kysely<Database>,
  filter: EventFilter,
  range: EventRange,
  limit: number,
): Promise<ReadEvent[]> {
  const within =
    'ids' in range ? sql`events.id = any(${[...range.ids]}::bigint[])` : sql`events.id > ${range.after}`;
  return chosen(
    db,
    sql`select * from events where events.team_id = ${filter.team_id} and ${within} and ${whereEvent(filter)}
      order by events.id limit ${limit}`,
    'asc',
  );
}

/** Returns events by number, of any team: the numbers come from a search within one team. */
export async function eventsById(
  db: Kysely<Database>,
  ids: readonly number[],
  order: 'asc' | 'desc',
): Promise<ReadEvent[]> {
  if (ids.length === 0) return [];
  return chosen(db, sql`select * from events where id = any(${[...ids]}::bigint[])`, order);
}

export async function findEvent(
  db: Kysely<Database>,
  team_id: number,
  id: number,
): Promise<EventFields | undefined> {
  const [row] = await chosen(db, sql`select * from events where id = ${id} and team_id = ${team_id}`, 'asc');
  return row;
}

async function chosen(
  db: Kysely<Database>,
  rows: RawBuilder<unknown>,
  order: 'asc' | 'desc',
): Promise<ReadEvent[]> {
  const found = await sql<Flat>`
    select e.id, e.kind, e.severity, e.message, e.data, e.created_at, a.app_id,
      c.public_id as cvm_public_id, c.name as cvm_name, c.vm_uuid, o.correlation_id,
      u.public_id as user_public_id, u.username, u.avatar,
      json_build_object('team_id', e.team_id, 'app_id', e.app_id, 'cvm_id', e.cvm_id,
        'operation_id', e.operation_id, 'actor_id', e.actor_id) as keys
    from (${rows}) e
    left join apps a on a.id = e.app_id
    left join cvms c on c.id = e.cvm_id
    left join operations o on o.id = e.operation_id
    left join users u on u.id = e.actor_id
    order by e.id ${sql.raw(order)}`.execute(db);
  return found.rows.map(listed);
}

/** Counts the team's newer events, up to `most`. */
export async function eventsAfter(
  db: Kysely<Database>,
  team_id: number,
  after: number,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from events where team_id = ${team_id} and id > ${after} limit ${most}
    ) newer`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the number of the team's newest event; 0 when there is none. */
export async function newestEvent(db: Kysely<Database>, team_id: number): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('team_id', '=', team_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Whether an event of the last `age_ms` milliseconds matches. */
export async function hasRecentEvent(
  db: Kysely<Database>,
  filter: EventFilter,
  age_ms: number,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1 from events where team_id = ${filter.team_id}
        and created_at > clock_timestamp() - ${age_ms}::float8 * interval '1 millisecond' and ${whereEvent(filter)}
    ) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** Matches a row of `events`; the caller adds the team. */
export function whereEvent(filter: EventFilter): RawBuilder<unknown> {
  const { kind, after, before, without } = filter;
  const conditions = facts(filter);
  if (kind !== undefined) conditions.push(sql`(${kindIs(sql`events.kind`, [kind])})`);
  if (after) conditions.push(sql`events.created_at >= ${after}`);
  if (before) conditions.push(sql`events.created_at < ${before}`);
  // Null counts as no match: an event without a CVM isn't about the excluded one.
  if (without) for (const fact of facts(without)) conditions.push(sql`(${fact}) is not true`);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function facts(
  filter: Omit<EventFilter, 'team_id' | 'kind' | 'after' | 'before' | 'without'>,
): RawBuilder<unknown>[] {
  const { app_ids, cvm_ids, operation_ids, actor_ids, kinds, severities, texts } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  const among = (column: string, ids: readonly (number | null)[] | undefined) => {
    if (!ids) return;
    const some = sql`events.${sql.ref(column)} = any(${ids.filter((id) => id !== null)}::bigint[])`;
    conditions.push(ids.includes(null) ? sql`(events.${sql.ref(column)} is null or ${some})` : some);
  };
  among('app_id', app_ids);
  among('cvm_id', cvm_ids);
  among('operation_id', operation_ids);
  among('actor_id', actor_ids);
  if (kinds) conditions.push(sql`(${kindIs(sql`events.kind`, kinds)})`);
  if (severities) conditions.push(sql`events.severity = any(${[...severities]}::text[])`);
  for (const text of texts ?? []) conditions.push(holds(text));
  return conditions;
}

/** A single word matches by prefix; several words, or punctuation, must also occur in the message verbatim. */
function holds(text: string): RawBuilder<unknown> {
  const found = sql`coalesce(events.search @@ event_words_query(${text}), true)`;
  if (/^[\p{L}\p{N}]+$/u.test(text)) return found;
  return sql`(${found} and strpos(lower(events.message), lower(${text})) > 0)`;
}

/** Like `whereEvent`, for a row in memory; only the database can match texts. */
export function fitsEvent(filter: EventFilter, row: ReadEvent): boolean {
  const { team_id, kind, after, before, without } = filter;
  const { created_at } = row.event;
  if (row.keys.team_id !== team_id || (kind !== undefined && !isKind(row.event.kind, kind))) return false;
  if ((after && created_at < after) || (before && created_at >= before)) return false;
  return answers(filter, row).every(Boolean) && !(without && answers(without, row).some(Boolean));
}

function answers(
  { app_ids, cvm_ids, operation_ids, actor_ids, kinds, severities }: NonNullable<EventFilter['without']>,
  { keys, event }: ReadEvent,
): boolean[] {
  const among = (id: number | null, ids: readonly (number | null)[] | undefined) =>
    ids ? [ids.includes(id)] : [];
  return [
    ...among(keys.app_id, app_ids),
    ...among(keys.cvm_id, cvm_ids),
    ...among(keys.operation_id, operation_ids),
    ...among(keys.actor_id, actor_ids),
    ...(kinds ? [kinds.some((kind) => isKind(event.kind, kind))] : []),
    ...(severities ? [severities.includes(event.severity)] : []),
  ];
}

function isKind(kind: string, pattern: string): boolean {
  if (pattern.includes('*')) return matchesGlob(kind, pattern);
  return kind === pattern || kind.startsWith(`${pattern}.`);
}

/** `update` is a kind or the first part of one; `*` matches anything. */
export function kindIs(column: RawBuilder<unknown>, patterns: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    patterns.map((pattern) =>
      pattern.includes('*')
        ? sql`${column} like ${likeOfGlob(pattern)}`
        : sql`(${column} = ${pattern} or ${column} ^@ ${`${pattern}.`})`,
    ),
    sql` or `,
  );
}

function listed(row: Flat): ReadEvent {
  const { app_id, cvm_public_id, cvm_name, vm_uuid, correlation_id, user_public_id, username, avatar } = row;
  const { id, kind, severity, message, data, created_at } = row;
  return {
    keys: row.keys,
    event: { id, kind, severity, message, data, created_at },
    app_id,
    cvm:
      cvm_public_id !== null && cvm_name !== null && vm_uuid !== null && app_id !== null
        ? { public_id: cvm_public_id, name: cvm_name, vm_uuid, app_id }
        : null,
    correlation_id,
    actor:
      user_public_id === null
        ? null
        : { public_id: user_public_id, username: username ?? '', avatar: avatar ?? '' },
  };
}
