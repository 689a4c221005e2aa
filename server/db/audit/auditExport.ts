import { sql } from 'kysely';
import type { ExportedRow } from '../../domain/audit/exportedEntry';
import type { Db } from '../core/client';
import type { AuditDestinationRow } from './auditDestinationsTable';

/** Bytes of `before` or `after`, as text. Longer values are omitted, and the entry says so. */
const MAX_VALUE = 32_768;

const value = (column: string) => {
  const name = sql.ref(`l.${column}`);
  return sql`case when octet_length(${name}::text) <= ${MAX_VALUE} then ${name} end as ${sql.ref(column)}`;
};

/** Returns entries of all chains with IDs above `after` and up to `up_to`, in ID order. */
export async function auditEntriesAfter(
  db: Db,
  { after, up_to, limit }: { after: number; up_to: number; limit: number },
): Promise<ExportedRow[]> {
  const { rows } = await sql<ExportedRow>`
    select l.id, l.seq, l.at, l.action, l.actor_kind, l.actor_id, l.actor_label, l.on_behalf_of_id, l.token_public_id,
      l.target_kind, l.target_id, ${value('before')}, ${value('after')},
      array_remove(array[
        case when octet_length(l.before::text) > ${MAX_VALUE} then 'before' end,
        case when octet_length(l.after::text) > ${MAX_VALUE} then 'after' end], null) as omitted,
      l.ip, l.user_agent, l.request_id, l.prev_hash, l.hash, t.public_id as team_id, t.slug as team_slug
    from audit_log l left join teams t on t.id = l.team_id
    where l.id > ${after} and l.id <= ${up_to} order by l.id limit ${limit}`.execute(db);
  return rows;
}

interface LateDestination extends Pick<AuditDestinationRow, 'id' | 'name' | 'last_error'> {
  since: Date;
  is_old: boolean;
}

/**
 * Returns active destinations whose oldest entry has waited for 15 minutes and that received none in the last
 * five minutes, so one that is catching up isn't late. `is_old`: for a day.
 */
export async function lateDestinations(db: Db): Promise<LateDestination[]> {
  const { rows } = await sql<LateDestination>`
    select d.id, d.name, d.last_error, w.since, w.since < now() - interval '1 day' as is_old
    from audit_destinations d
    cross join lateral (
      -- An entry can be older than its destination.
      select greatest(l.at, d.created_at) as since from audit_log l
      where l.id > d.delivered_id order by l.id limit 1) w
    where d.state = 'active' and w.since < now() - interval '15 minutes'
      and (d.delivered_at is null or d.delivered_at < now() - interval '5 minutes')
      -- Added, changed or resumed.
      and d.updated_at < now() - interval '5 minutes'
    order by d.id limit 200`.execute(db);
  return rows;
}
