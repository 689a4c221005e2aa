import { sql } from 'kysely';
import type { NotificationFields } from '../../domain/notifications/notificationResponse';
import type { Db, Tx } from '../core/client';

/** Counting stops here: no screen shows more. */
const MAX_UNREAD = 500;

export interface NotificationQuery {
  user_id: number;
  /** Teams the session may access. */
  team_ids: readonly number[];
  unread: boolean;
  /** Position of the previous page's last one. */
  before: number | null;
  limit: number;
}

export type ListedNotification = NotificationFields & { position: number };

/** Most recent first. */
export async function listNotifications(db: Db, query: NotificationQuery): Promise<ListedNotification[]> {
  const { rows } = await sql<ListedNotification>`
    select n.public_id, n.kind, n.severity, n.title, n.message, n.count, n.created_at, n.updated_at, n.resolved_at,
      n.read_at, n.position, t.public_id as team_public_id, t.name as team_name, t.slug as team_slug,
      c.public_id as cvm_public_id, c.name as cvm_name, c.vm_uuid, a.app_id,
      case when n.kind = 'finance_action' and n.subject not like 'late:%' then split_part(n.subject, ':', 2)::bigint end as finance_action_id
    from (
      select * from notifications
      where user_id = ${query.user_id} and team_id = any(${[...query.team_ids]}::bigint[]) and not hidden
        and (not ${query.unread}::boolean or read_at is null)
        and (${query.before}::bigint is null or position < ${query.before})
      order by position desc limit ${query.limit}
    ) n
    join teams t on t.id = n.team_id
    left join cvms c on c.id = n.cvm_id
    left join apps a on a.id = c.app_id
    order by n.position desc`.execute(db);
  return rows;
}

export async function countUnread(
  db: Db | Tx,
  user_id: number,
  team_ids: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select 1 from notifications
      where user_id = ${user_id} and team_id = any(${[...team_ids]}::bigint[]) and read_at is null and not hidden
      limit ${MAX_UNREAD}) found`.execute(db);
  return rows[0]?.n ?? 0;
}

/** `public_ids` null: all. */
export async function markRead(
  trx: Tx,
  user_id: number,
  team_ids: readonly number[],
  public_ids: readonly string[] | null,
): Promise<number> {
  const read = await trx
    .updateTable('notifications')
    .set({ read_at: sql<Date>`now()` })
    .where('user_id', '=', user_id)
    .where('team_id', 'in', [...team_ids, -1])
    .where('read_at', 'is', null)
    .$if(public_ids !== null, (query) => query.where('public_id', 'in', [...(public_ids ?? []), '']))
    .executeTakeFirst();
  return Number(read.numUpdatedRows);
}
