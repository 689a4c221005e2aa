import { hideSecrets } from './auditMask';
import type { AuditFields } from './auditResponse';

/** An audit row in the form for log systems. */
export interface ExportedRow extends Omit<
  AuditFields,
  'before' | 'after' | 'chain' | 'target_name' | 'token_name' | 'token_prefix' | 'token_last4'
> {
  before: Parameters<typeof hideSecrets>[0];
  after: Parameters<typeof hideSecrets>[0];
  /** Values too long to read. */
  omitted: ('before' | 'after')[];
  /** Public ID; null for the platform. */
  team_id: string | null;
  team_slug: string | null;
}

export interface ExportedEntry {
  /** Unique in the installation, and growing. Receivers recognize repeated entries by it. */
  id: string;
  /** Public ID of the team whose chain it belongs to, or `platform`. */
  chain: string;
  /** Position in the chain. */
  seq: number;
  at: string;
  action: string;
  actor: { kind: ExportedRow['actor_kind']; id: string | null; name: string | null };
  on_behalf_of: string | null;
  token: string | null;
  team: { id: string; slug: string | null } | null;
  target: { kind: string; id: string | null } | null;
  before: ExportedRow['before'];
  after: ExportedRow['after'];
  /** Values omitted because of their length. The audit log has them. */
  omitted: ('before' | 'after')[];
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  /** 64 hex digits, like `hash`; kept elsewhere, they show whether the audit log was rewritten. */
  prev_hash: string;
  hash: string;
}

export const toExportedEntry = (row: ExportedRow): ExportedEntry => ({
  id: String(row.id),
  chain: row.team_id ?? 'platform',
  seq: row.seq,
  at: row.at.toISOString(),
  action: row.action,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_label },
  on_behalf_of: row.on_behalf_of_id,
  token: row.token_public_id,
  team: row.team_id === null ? null : { id: row.team_id, slug: row.team_slug },
  target: row.target_kind === null ? null : { kind: row.target_kind, id: row.target_id },
  before: hideSecrets(row.before),
  after: hideSecrets(row.after),
  omitted: row.omitted,
  ip: row.ip,
  user_agent: row.user_agent,
  request_id: row.request_id,
  prev_hash: row.prev_hash.toString('hex'),
  hash: row.hash.toString('hex'),
});

const NO_HASH = '0'.repeat(64);

/** A test entry for a destination. It isn't in the audit log, and its ID is never used there. */
export const testEntry = (at: Date, by: { id: string; name: string }, request_id: string): ExportedEntry => ({
  id: '0',
  chain: 'platform',
  seq: 0,
  at: at.toISOString(),
  action: 'audit.test',
  actor: { kind: 'user', ...by },
  on_behalf_of: null,
  token: null,
  team: null,
  target: null,
  before: null,
  after: null,
  omitted: [],
  ip: null,
  user_agent: null,
  request_id,
  prev_hash: NO_HASH,
  hash: NO_HASH,
});

/** The same entry without its changed values, which determine its size. */
export const withoutChanges = (entry: ExportedEntry): ExportedEntry => ({
  ...entry,
  before: null,
  after: null,
  omitted: [
    ...new Set([
      ...entry.omitted,
      ...(entry.before === null ? [] : ['before' as const]),
      ...(entry.after === null ? [] : ['after' as const]),
    ]),
  ],
});
