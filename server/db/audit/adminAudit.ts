import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { AdminAudit } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { ChainReport } from './auditVerify';
import type { Db, Tx } from '../core/client';
import type { AuditLogRow } from './auditLogTable';
import { targetRecord } from './auditTargets';

export interface AdminAuditRow extends Pick<
  AuditLogRow,
  | 'id'
  | 'at'
  | 'action'
  | 'actor_kind'
  | 'actor_user_id'
  | 'team_id'
  | 'target_kind'
  | 'target_id'
  | 'request_id'
  | 'ip'
  | 'user_agent'
  | 'seq'
  | 'hash'
  | 'chain'
> {
  actor: string | null;
  on_behalf_of: string | null;
  /** Its current name, else the one in the entry, else its ID. */
  target: string | null;
  target_resource: string | null;
  target_record_id: string | null;
  before: unknown;
  after: unknown;
  /** Null if it was not computed. */
  intact: boolean | null;
  chain_state: AdminAudit['chain_state'];
  chain_checked_at: Date | null;
  chain_broken: string | null;
}

const fields = {
  id: 'integer',
  at: 'time',
  action: 'text',
  actor_kind: 'text',
  actor_user_id: 'integer',
  actor: 'text',
  on_behalf_of: 'none',
  team_id: 'integer',
  target: 'none',
  target_resource: 'none',
  target_record_id: 'none',
  target_kind: 'text',
  target_id: 'text',
  request_id: 'text',
  ip: 'text',
  user_agent: 'none',
  before: 'none',
  after: 'none',
  seq: 'none',
  hash: 'none',
  entry_state: 'none',
  chain_state: 'text',
  chain_checked_at: 'none',
  chain_broken: 'none',
} satisfies Record<keyof AdminAudit, AdminFieldKind>;

const chainState = sql`case when k.chain is null then 'not_checked' when k.broken is null then 'intact' else 'broken' end`;
// While viewing as a user, the entry's actor is that user; here, the staff member who acted comes first. Actors
// without an account are named as in the team's log (console/features/audit/names).
const actor = sql`case when l.on_behalf_of_id is null then coalesce(l.actor_label,
    case l.actor_kind when 'system' then 'System' when 'cli' then 'Command line' when 'anonymous' then 'Anonymous' end) else
  left(coalesce((select b.username from users b where b.id = l.on_behalf_of_user_id), l.on_behalf_of_id)
    || coalesce(' as ' || l.actor_label, ''), 200) end`;
const actorKind = sql`case when l.on_behalf_of_id is null then l.actor_kind else 'staff' end`;
const own = sql`l.id, l.at, l.action, ${actorKind} as actor_kind, l.actor_user_id, ${actor} as actor, l.team_id, l.target_kind,
  l.target_id, l.request_id, l.ip, ${chainState} as chain_state`;
const from = sql`audit_log l left join audit_checks k on k.chain = l.chain`;
const named = sql`${from} left join lateral (select * from ${targetRecord} y limit 1) r on true`;
const columns = sql`${own}, r.resource as target_resource, r.id as target_record_id,
  left(coalesce(r.name, nullif(l.after->>'name', ''), nullif(l.before->>'name', ''), l.target_id), 200) as target, l.chain, l.user_agent, l.seq, l.hash, k.checked_at as chain_checked_at, k.broken as chain_broken,
  case when l.on_behalf_of_id is not null
    then coalesce((select b.username || ' ' from users b where b.id = l.on_behalf_of_user_id), '') || l.on_behalf_of_id
  end as on_behalf_of`;

/** The logs of the platform and all teams, without changed values. */
export const adminAudit: AdminListSource<AdminAuditRow> = {
  fields,
  searched: ['action', 'target_id', 'actor', 'request_id'],
  select: sql<AdminAuditRow>`select ${columns}, null as before, null as after, null::boolean as intact from ${named}`,
  large: { keys: sql`select ${own} from ${from}`, indexed: ['id', 'at', 'action'], thenBy: 'id' },
};

/** One entry with changed values, and whether it is unaltered and follows the previous one. */
export const adminAuditEntry = {
  select: sql<AdminAuditRow>`select ${columns}, l.before, l.after,
      l.hash = audit_hash(l.prev_hash, audit_record(l)) and l.prev_hash = case when l.seq = 1 then audit_genesis(l.chain)
        else (select p.hash from audit_log p where p.chain = l.chain and p.seq = l.seq - 1) end as intact
    from ${named}`,
};

export async function chainOfEntry(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('audit_log').select('chain').where('id', '=', id).executeTakeFirst();
  return row?.chain;
}

/** Records the result of verifying a whole chain. */
export async function noteCheck(
  trx: Tx,
  chain: number,
  { entries, broken }: Pick<ChainReport, 'entries' | 'broken'>,
): Promise<void> {
  const found = {
    checked_at: sql<Date>`now()`,
    entries,
    broken_seq: broken?.seq ?? null,
    broken: broken ? cutWhole(broken.message, 300) : null,
  };
  await trx
    .insertInto('audit_checks')
    .values({ chain, ...found })
    .onConflict((conflict) => conflict.column('chain').doUpdateSet(found))
    .execute();
}
