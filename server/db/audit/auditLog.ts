import { hideSecrets } from '../../domain/audit/auditMask';
import { prepared, type Db, type Tx } from '../core/client';
import { toJson, type Json } from '../core/json';
import type { AuditLogRow } from './auditLogTable';

export interface AuditRow {
  actor_kind: AuditLogRow['actor_kind'];
  actor_user_id?: number | null;
  /** Staff who acted on the actor's behalf. */
  on_behalf_of_user_id?: number | null;
  token_id?: number | null;
  /** The team whose chain it belongs to; null for the platform's. */
  team_id?: number | null;
  action: string;
  target_kind?: string | null;
  target_id?: string | null;
  before?: Json | undefined;
  after?: Json | undefined;
  ip?: string | null;
  user_agent?: string | null;
  request_id?: string | null;
}

/**
 * The only writer of the audit log. Call it last in a transaction: until the commit the team's other writers
 * wait, because each entry's hash needs the previous one. Chains are locked in a fixed order, so transactions
 * with entries of several teams can't deadlock. Entries keep the given order within a chain.
 */
export async function appendAudit(trx: Db | Tx, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ordered = rows.toSorted((a, b) => (a.team_id ?? 0) - (b.team_id ?? 0));
  await trx
    .insertInto('audit_log')
    .values(
      ordered.map((row) => ({
        ...row,
        ip: row.ip || null,
        user_agent: row.user_agent || null,
        before: jsonText(row.before),
        after: jsonText(row.after),
      })),
    )
    .$if(ordered.length === 1, (insert) => insert.modifyEnd(prepared))
    .execute();
}

const jsonText = (value: Json | undefined) => (value === undefined ? null : toJson(hideSecrets(value)));

/** How far back to look for a change's author. */
const RECENT_ENTRIES = 200;

/** Returns the user whose entry with one of these actions is the target's latest; null for staff and older entries. */
export async function lastChangedBy(
  db: Db | Tx,
  { team_id, target_id, actions }: { team_id: number; target_id: string; actions: readonly string[] },
): Promise<string | null> {
  const entry = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_log')
        .select(['id', 'action', 'target_id', 'actor_kind', 'actor_user_id'])
        .where('team_id', '=', team_id)
        .orderBy('id', 'desc')
        .limit(RECENT_ENTRIES)
        .as('recent'),
    )
    .leftJoin('users', 'users.id', 'recent.actor_user_id')
    .select(['recent.actor_kind', 'users.username'])
    .where('recent.target_id', '=', target_id)
    .where('recent.action', 'in', [...actions])
    .orderBy('recent.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return entry && entry.actor_kind !== 'staff' ? entry.username : null;
}
