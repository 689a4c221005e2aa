import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { EventFields } from '../domain/wire/event';
import type { Database, EventRow } from './schema';

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
}

export interface EventFilter {
  team_id: number;
  /** 40 hex digits. */
  app_id?: string | undefined;
  /** Numbers of CVMs, any of them. */
  cvm_ids?: readonly number[] | undefined;
  correlation_id?: string | undefined;
  /** A kind, or its first part. */
  kind?: string | undefined;
}

export type EventRange =
  /** Older than, newest first. */
  | { before: number | undefined }
  /** Newer than, oldest first. */
  | { after: number }
  /** Exactly these, oldest first. */
  | { ids: readonly number[] };

/** At most `limit` events. The rows are chosen before anything is joined, so that the index decides. */
export async function listEvents(
  db: Kysely<Database>,
  filter: EventFilter,
  range: EventRange,
  limit: number,
): Promise<EventFields[]> {
  const newestFirst = 'before' in range;
  const order = newestFirst ? sql`desc` : sql`asc`;
  const { rows } = await sql<Flat>`
    select e.id, e.kind, e.severity, e.message, e.data, e.created_at, a.app_id,
      c.public_id as cvm_public_id, c.name as cvm_name, c.vm_uuid, o.correlation_id,
      u.public_id as user_public_id, u.username, u.avatar
    from (
      select * from events where ${where(filter)} and ${within(range)} order by events.id ${order} limit ${limit}
    ) e
    left join apps a on a.id = e.app_id
    left join cvms c on c.id = e.cvm_id
    left join operations o on o.id = e.operation_id
    left join users u on u.id = o.requested_by
    order by e.id ${order}`.execute(db);
  return rows.map(listed);
}

/** Number of the team's newest event; 0 when there is none. */
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

function within(range: EventRange): RawBuilder<unknown> {
  if ('ids' in range) return sql`events.id = any(${[...range.ids]}::bigint[])`;
  if ('after' in range) return sql`events.id > ${range.after}`;
  return range.before === undefined ? sql`true` : sql`events.id < ${range.before}`;
}

function where(filter: EventFilter): RawBuilder<unknown> {
  const conditions = [sql`events.team_id = ${filter.team_id}`];
  if (filter.app_id !== undefined)
    conditions.push(
      sql`events.app_id = (select id from apps where app_id = ${filter.app_id} and team_id = ${filter.team_id})`,
    );
  if (filter.cvm_ids) conditions.push(sql`events.cvm_id = any(${[...filter.cvm_ids]}::bigint[])`);
  if (filter.correlation_id !== undefined)
    conditions.push(
      sql`events.operation_id = (select id from operations where correlation_id = ${filter.correlation_id}::uuid and team_id = ${filter.team_id})`,
    );
  if (filter.kind !== undefined)
    conditions.push(sql`(events.kind = ${filter.kind} or events.kind ^@ ${`${filter.kind}.`})`);
  return sql.join(conditions, sql` and `);
}

function listed(row: Flat): EventFields {
  const { app_id, cvm_public_id, cvm_name, vm_uuid, correlation_id, user_public_id, username, avatar } = row;
  const { id, kind, severity, message, data, created_at } = row;
  return {
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
