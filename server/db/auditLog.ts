import { hideSecrets } from '../domain/auditMask';
import type { Db, Tx } from './client';
import type { Json } from './schema';
import type { AuditLogRow } from './schemaAudit';

export interface AuditRow {
  actor_kind: AuditLogRow['actor_kind'];
  actor_user_id?: number | null;
  /** Staff who acted for the actor. */
  on_behalf_of_user_id?: number | null;
  token_id?: number | null;
  /** Whose chain it belongs to; null for the platform's. */
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
 * The one place that writes the audit log. Call it last in a transaction: from here to the commit the team's other
 * writers wait, as each entry's hash needs the one before. Chains are taken in one order, so that two transactions with
 * entries of several teams cannot wait for each other. Within a chain the order given is kept.
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
    .execute();
}

const jsonText = (value: Json | undefined) =>
  value === undefined ? null : JSON.stringify(hideSecrets(value));
