import { sql, type RawBuilder } from 'kysely';
import type { AdminApp, AdminMember, AdminWorkspace } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import type { AppRow } from '../apps/appsTable';
import type { MembershipsTable } from './membershipsTable';
import type { TeamRow } from './teamsTable';

export interface AdminWorkspaceRow extends TeamRow {
  owner_id: number | null;
  member_count: number;
  app_count: number;
  used_cvms: number;
  used_vcpu: number;
  used_memory_mb: number;
  used_disk_gb: number;
  used_gpus: number;
  reserved_gpus: number;
  /** As posted. */
  balance_micros: number;
  in_debt: boolean;
  debt_since: Date | null;
  stops_at: Date | null;
  /** For one team only; lists read theirs together, once the teams are known. */
  charged_month_micros?: number;
}

const owner = sql`(select m.user_id from memberships m where m.team_id = t.id and m.role = 'owner'
  order by m.created_at, m.user_id limit 1)`;

/**
 * Ledger charges to teams since the month began. Hours are booked when they end, so the month's first is booked
 * after its start.
 */
const chargedMonth = (team_ids: RawBuilder<unknown>) => sql<{ team_id: number; amount: number }>`
  select l.team_id, sum(e.amount_micros)::bigint as amount
  from ledger_transactions l join ledger_entries e on e.transaction_id = l.id
  where l.team_id = any(${team_ids}::bigint[]) and l.effective_at >= date_trunc('month', now(), 'UTC')
    and e.account = 'revenue' and (l.kind in ('order', 'order_refund')
      or (l.kind in ('usage', 'usage_correction') and l.effective_at > date_trunc('month', now(), 'UTC')))
  group by l.team_id`;

/** Returns ledger charges since the month began, in micro-dollars by team. */
export async function chargedThisMonth(db: Db, team_ids: readonly number[]): Promise<Map<number, number>> {
  if (team_ids.length === 0) return new Map();
  const { rows } = await chargedMonth(sql`${[...team_ids]}`).execute(db);
  return new Map(rows.map(({ team_id, amount }) => [team_id, amount]));
}

const inDebt = sql`exists (select 1 from debts x where x.team_id = t.id and x.settled_at is null)`;

// Held capacity counts as used, as in the quota check.
const select = sql<AdminWorkspaceRow>`select t.*, ${owner} as owner_id,
    (select count(*)::int from memberships m where m.team_id = t.id) as member_count,
    (select count(*)::int from apps a where a.team_id = t.id and a.archived_at is null) as app_count,
    u.used_cvms, u.used_vcpu, u.used_memory_mb, u.used_disk_gb,
    (select count(*)::int from gpus g join reservations r on r.id = g.reservation_id
      where r.team_id = t.id and (r.expires_at is null or r.expires_at > now())) as used_gpus,
    (select count(*)::int from gpus g where g.reserved_team_id = t.id) as reserved_gpus,
    coalesce((select sum(b.amount_micros) from ledger_balances b
      where b.team_id = t.id and b.account in ('prepaid', 'credits')), 0)::bigint as balance_micros,
    d.team_id is not null as in_debt, d.started_at as debt_since, d.stops_at
  from teams t left join debts d on d.team_id = t.id and d.settled_at is null cross join lateral (
    select count(*) filter (where vcpu > 0)::int as used_cvms, coalesce(sum(vcpu), 0)::int as used_vcpu,
      coalesce(sum(memory_mb), 0)::int as used_memory_mb, coalesce(sum(disk_gb), 0)::int as used_disk_gb
    from reservations where team_id = t.id and not moving and (expires_at is null or expires_at > now())
  ) u`;

/** One team, with its charges. */
export const adminWorkspace: Pick<AdminListSource<AdminWorkspaceRow>, 'select'> = {
  select: sql<AdminWorkspaceRow>`select s.*,
      coalesce((select c.amount from (${chargedMonth(sql`array[s.id]`)}) c), 0)::bigint as charged_month_micros
    from (${select}) s`,
};

export const adminWorkspaces: AdminListSource<AdminWorkspaceRow> = {
  fields: {
    id: 'integer',
    public_id: 'text',
    slug: 'text',
    name: 'text',
    tier: 'text',
    owner_id: 'integer',
    member_count: 'none',
    app_count: 'none',
    used_cvms: 'none',
    used_vcpu: 'none',
    used_memory_mb: 'none',
    used_disk_gb: 'none',
    used_gpus: 'none',
    reserved_gpus: 'none',
    balance: 'none',
    in_debt: 'boolean',
    debt_since: 'none',
    stops_at: 'none',
    charged_month: 'none',
    max_cvms: 'integer',
    max_vcpu: 'integer',
    max_memory_mb: 'integer',
    max_disk_gb: 'integer',
    post_paid_cap: 'none',
    require_second_factor: 'boolean',
    deleted_at: 'time',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminWorkspace, AdminFieldKind>,
  searched: ['name', 'slug', 'public_id'],
  select,
  large: {
    keys: sql`select t.id, t.public_id, t.slug, t.name, t.tier, ${owner} as owner_id, t.max_cvms, t.max_vcpu,
      t.max_memory_mb, t.max_disk_gb, t.require_second_factor, t.deleted_at, t.created_at, t.updated_at, ${inDebt} as in_debt from teams t`,
    indexed: ['created_at', 'id'],
    thenBy: 'id',
  },
};

export const lockWorkspace = (trx: Tx, id: number): Promise<TeamRow | undefined> =>
  trx.selectFrom('teams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export interface AdminMemberRow {
  /** "team-user" */
  id: string;
  team_id: number;
  user_id: number;
  username: string;
  team_slug: string;
  role: MembershipsTable['role'];
  is_default: boolean;
  sso: boolean;
  last_seen_at: Date | null;
  created_at: Date;
}

export const adminMembers: AdminListSource<AdminMemberRow> = {
  fields: {
    id: 'text',
    team_id: 'integer',
    user_id: 'integer',
    username: 'text',
    team_slug: 'text',
    role: 'text',
    is_default: 'boolean',
    sso: 'boolean',
    last_seen_at: 'time',
    created_at: 'time',
  } satisfies Record<keyof AdminMember, AdminFieldKind>,
  searched: ['username', 'team_slug'],
  select: sql<AdminMemberRow>`select m.team_id || '-' || m.user_id as id, m.team_id, m.user_id, u.username,
      t.slug as team_slug, m.role, m.is_default, m.sso_connection_id is not null as sso, m.last_seen_at, m.created_at
    from memberships m join users u on u.id = m.user_id join teams t on t.id = m.team_id and t.deleted_at is null`,
};

export interface AdminAppRow extends Omit<AppRow, 'id' | 'app_id' | 'nonce'> {
  /** `app_id`, which identifies it in URLs. */
  id: string;
  team_slug: string;
  team_name: string;
  cvm_count: number;
  revision_count: number;
}

const app = sql`a.app_id as id, a.public_id, a.name, a.team_id, t.slug as team_slug, t.name as team_name, a.kms_id, a.created_by,
  a.created_at, a.archived_at`;

export const adminApps: AdminListSource<AdminAppRow> = {
  fields: {
    id: 'text',
    public_id: 'text',
    name: 'text',
    team_id: 'integer',
    team_slug: 'text',
    team_name: 'none',
    kms_id: 'integer',
    cvm_count: 'none',
    revision_count: 'none',
    created_by: 'integer',
    created_at: 'time',
    archived_at: 'time',
  } satisfies Record<keyof AdminApp, AdminFieldKind>,
  searched: ['name', 'id', 'public_id', 'team_slug'],
  select: sql<AdminAppRow>`select ${app},
      (select count(*)::int from cvms c where c.app_id = a.id and c.deleted_at is null) as cvm_count,
      (select count(*)::int from revisions v where v.app_id = a.id) as revision_count
    from apps a join teams t on t.id = a.team_id`,
  large: {
    keys: sql`select ${app} from apps a join teams t on t.id = a.team_id`,
    indexed: ['created_at'],
    thenBy: 'id',
  },
};
