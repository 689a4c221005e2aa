import { sql, type RawBuilder } from 'kysely';
import type { AuditFields } from '../../domain/audit/auditResponse';
import type { Db } from '../core/client';

export interface AuditFilter {
  /** The team's number. */
  chain: number;
  /** Public ID of a user. */
  actor?: string | undefined;
  /** An action, or its first part. */
  action?: string | undefined;
  /** Public ID of the changed object. */
  target?: string | undefined;
  /** At or after. */
  from?: Date | undefined;
  /** Before. */
  to?: Date | undefined;
  /** Part of an action, a target, its name, or a user name. */
  q?: string | undefined;
}

export type AuditRange =
  /** Older than the entry with this `seq`, newest first. */
  | { before: number | undefined }
  /** Newer than `after` and up to `up_to`, oldest first. */
  | { after: number; up_to: number };

// Entries about these kinds have a name only when it changes. A team's chain has the team's number.
const TARGET_NAME = sql`case l.target_kind
  when 'app' then (select x.name from apps x where x.app_id = l.target_id and x.team_id = l.chain limit 1)
  when 'cvm' then (select x.name from cvms x where x.public_id = l.target_id and x.team_id = l.chain limit 1) end`;

const COLUMNS = sql`l.id, l.chain, l.seq, l.at, l.action, l.actor_kind, l.actor_id, l.actor_label, l.on_behalf_of_id, l.token_public_id,
  t.name as token_name, t.token_prefix, t.token_last4, l.target_kind, l.target_id, ${TARGET_NAME} as target_name, l.before, l.after, l.ip, l.user_agent,
  l.request_id, l.prev_hash, l.hash`;

/** Returns at most `limit` entries of one chain. */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  range: AuditRange,
  limit: number,
): Promise<AuditFields[]> {
  const { rows } = await sql<AuditFields>`
    select ${COLUMNS} from audit_log l left join api_tokens t on t.id = l.token_id
    where ${where(filter)} and ${within(range)}
    order by l.seq ${'before' in range ? sql`desc` : sql`asc`} limit ${limit}`.execute(db);
  return rows;
}

/** The same with the texts that the hashes cover, oldest first. */
export async function listAuditRecords(
  db: Db,
  filter: AuditFilter,
  range: { after: number; up_to: number },
  limit: number,
): Promise<(AuditFields & { record: string })[]> {
  const { rows } = await sql<AuditFields & { record: string }>`
    select ${COLUMNS}, audit_record(l) as record from audit_log l left join api_tokens t on t.id = l.token_id
    where ${where(filter)} and ${within(range)} order by l.seq limit ${limit}`.execute(db);
  return rows;
}

/** Returns one user's actions across all teams, newest first. @param actor public ID */
export async function listAuditOfPerson(db: Db, actor: string, limit: number): Promise<AuditFields[]> {
  const { rows } = await sql<AuditFields>`
    select ${COLUMNS} from audit_log l left join api_tokens t on t.id = l.token_id
    where l.actor_id = ${actor} order by l.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Returns `seq` of the chain's last entry; 0 when there is none. */
export async function lastAuditSeq(db: Db, chain: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from audit_heads where chain = ${chain}`.execute(db);
  return rows[0]?.seq ?? 0;
}

function within(range: AuditRange): RawBuilder<unknown> {
  if ('after' in range) return sql`l.seq > ${range.after} and l.seq <= ${range.up_to}`;
  return range.before === undefined ? sql`true` : sql`l.seq < ${range.before}`;
}

function where({ chain, actor, action, target, from, to, q }: AuditFilter): RawBuilder<unknown> {
  const conditions = [sql`l.chain = ${chain}`];
  if (actor) conditions.push(sql`l.actor_id = ${actor}`);
  if (action) conditions.push(sql`(l.action = ${action} or l.action ^@ ${`${action}.`})`);
  if (target) conditions.push(sql`l.target_id = ${target}`);
  if (from) conditions.push(sql`l.at >= ${from}`);
  if (to) conditions.push(sql`l.at < ${to}`);
  if (q)
    conditions.push(
      sql`concat_ws(' ', l.action, l.target_kind, l.target_id, l.actor_label, l.after->>'name', l.before->>'name')
        ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`}`,
    );
  return sql.join(conditions, sql` and `);
}
