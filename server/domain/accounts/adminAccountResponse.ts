import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type {
  AdminApp,
  AdminAudit,
  AdminMember,
  AdminSpend,
  AdminUsage,
  AdminUser,
  AdminWorkspace,
} from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import { hideSecrets } from '../audit/auditMask';
import type { UsageLine } from '../billing/metering';
import { iso, type Stored } from '../core/references';
import { seenSince } from '../teams/memberResponse';

export const adminUserOut = (
  user: Stored<AdminUser, 'email_verified_at' | 'last_seen_at' | 'created_at' | 'updated_at'>,
): AdminUser => ({
  id: user.id,
  public_id: user.public_id,
  username: user.username,
  email: user.email,
  state: user.state,
  platform_role: user.platform_role,
  email_verified_at: iso(user.email_verified_at),
  second_factor: user.second_factor,
  team_count: user.team_count,
  cvm_count: user.cvm_count,
  session_count: user.session_count,
  token_count: user.token_count,
  last_seen_at: iso(user.last_seen_at),
  created_at: user.created_at.toISOString(),
  updated_at: user.updated_at.toISOString(),
});

export const adminWorkspaceOut = (
  team: Stored<
    Omit<AdminWorkspace, 'post_paid_cap' | 'balance' | 'charged_month'>,
    'debt_since' | 'stops_at' | 'deleted_at' | 'created_at' | 'updated_at'
  > & { post_paid_cap_micros: number; balance_micros: number; charged_month_micros?: number },
): AdminWorkspace => ({
  id: team.id,
  public_id: team.public_id,
  slug: team.slug,
  name: team.name,
  tier: team.tier,
  owner_id: team.owner_id,
  member_count: team.member_count,
  app_count: team.app_count,
  used_cvms: team.used_cvms,
  used_vcpu: team.used_vcpu,
  used_memory_mb: team.used_memory_mb,
  used_disk_gb: team.used_disk_gb,
  used_gpus: team.used_gpus,
  reserved_gpus: team.reserved_gpus,
  balance: formatMicros(team.balance_micros),
  in_debt: team.in_debt,
  debt_since: iso(team.debt_since),
  stops_at: iso(team.stops_at),
  charged_month: formatMicros(team.charged_month_micros ?? 0),
  max_cvms: team.max_cvms,
  max_vcpu: team.max_vcpu,
  max_memory_mb: team.max_memory_mb,
  max_disk_gb: team.max_disk_gb,
  post_paid_cap: formatMicros(team.post_paid_cap_micros),
  require_second_factor: team.require_second_factor,
  deleted_at: iso(team.deleted_at),
  created_at: team.created_at.toISOString(),
  updated_at: team.updated_at.toISOString(),
});

export const adminMemberOut = (member: Stored<AdminMember, 'last_seen_at' | 'created_at'>): AdminMember => ({
  id: member.id,
  team_id: member.team_id,
  user_id: member.user_id,
  username: member.username,
  team_slug: member.team_slug,
  role: member.role,
  is_default: member.is_default,
  sso: member.sso,
  last_seen_at: seenSince(member.last_seen_at, member.created_at),
  created_at: member.created_at.toISOString(),
});

export const adminAppOut = (app: Stored<AdminApp, 'created_at' | 'archived_at'>): AdminApp => ({
  id: app.id,
  public_id: app.public_id,
  name: app.name,
  team_id: app.team_id,
  team_slug: app.team_slug,
  team_name: app.team_name,
  kms_id: app.kms_id,
  cvm_count: app.cvm_count,
  revision_count: app.revision_count,
  created_by: app.created_by,
  created_at: app.created_at.toISOString(),
  archived_at: iso(app.archived_at),
});

const secondsOf = (lines: readonly UsageLine[], basis: UsageLine['basis']): number =>
  lines.reduce((sum, line) => sum + (line.basis === basis ? line.seconds : 0), 0);

const hours = (seconds: number): number => Math.round((seconds / 3600) * 1000) / 1000;

export const adminUsageOut = (
  one: Stored<Omit<AdminUsage, 'running_hours' | 'disk_hours' | 'amount'>, 'created_at' | 'deleted_at'>,
  { lines, amount_micros }: { lines: readonly UsageLine[]; amount_micros: number },
): AdminUsage => ({
  id: one.id,
  kind: one.kind,
  name: one.name,
  cvm_id: one.cvm_id,
  user_id: one.user_id,
  team_id: one.team_id,
  app_id: one.app_id,
  running_hours: hours(secondsOf(lines, 'size')),
  // Running CVMs also have a line for their disk.
  disk_hours: hours(Math.max(0, secondsOf(lines, 'disk') - secondsOf(lines, 'size'))),
  amount: formatMicros(amount_micros),
  created_at: one.created_at.toISOString(),
  deleted_at: iso(one.deleted_at),
});

/** Characters of `before` and `after`; longer text is cut and marked as cut. */
const MAX_TEXT = 200_000;

export type AdminAuditFields = Stored<
  Omit<AdminAudit, 'entry_state' | 'before' | 'after' | 'hash'>,
  'at' | 'chain_checked_at'
> & { before: unknown; after: unknown; hash: Buffer; intact: boolean | null };

export const adminAuditOut = (entry: AdminAuditFields): AdminAudit => ({
  id: entry.id,
  at: entry.at.toISOString(),
  action: entry.action.slice(0, 100),
  actor_kind: entry.actor_kind,
  actor_user_id: entry.actor_user_id,
  actor: entry.actor,
  on_behalf_of: entry.on_behalf_of,
  team_id: entry.team_id,
  target: entry.target,
  target_resource: entry.target_resource,
  target_record_id: entry.target_record_id,
  target_kind: entry.target_kind,
  target_id: entry.target_id === null ? null : entry.target_id.slice(0, 200),
  request_id: entry.request_id,
  ip: entry.ip,
  user_agent: entry.user_agent,
  before: jsonText(entry.before),
  after: jsonText(entry.after),
  seq: entry.seq,
  hash: entry.hash.toString('hex'),
  entry_state: entry.intact === null ? null : entry.intact ? 'intact' : 'broken',
  chain_state: entry.chain_state,
  chain_checked_at: iso(entry.chain_checked_at),
  chain_broken: entry.chain_broken,
});

/** Masks secrets again although they were masked when written, because the rules may cover more by now. */
function jsonText(value: unknown): string | null {
  if (value === null) return null;
  const text = JSON.stringify(hideSecrets(value as Parameters<typeof hideSecrets>[0]), null, 2);
  return text.length > MAX_TEXT ? `${cutWhole(text, MAX_TEXT)}\n… cut` : text;
}

/**
 * Amounts in micro-dollars: the CVMs' hourly rate, and the cost of CVMs, AI requests and orders; `month` in
 * total and by category. Number of CVMs billed for size (`running`) and for disk only (`stopped`).
 */
export interface Spend {
  hourly: number;
  today: number;
  month: number;
  cvms: number;
  ai: number;
  orders: number;
  running: number;
  stopped: number;
}

export interface TeamSpend extends Spend {
  team_id: number;
  slug: string;
  name: string;
}

/** Spend of all teams combined, and of the top teams, highest first. */
export interface CloudSpend {
  all: Spend;
  top: TeamSpend[];
}

export function adminSpendOut({ all, top }: CloudSpend, as_of: Date): AdminSpend {
  return {
    as_of: as_of.toISOString(),
    hourly_rate: formatMicros(all.hourly),
    today: formatMicros(all.today),
    month: formatMicros(all.month),
    cvms: formatMicros(all.cvms),
    ai: formatMicros(all.ai),
    orders: formatMicros(all.orders),
    running_cvms: all.running,
    stopped_cvms: all.stopped,
    teams: top.map(({ team_id, slug, name, hourly, today, month, cvms, ai, orders }) => ({
      team_id,
      slug,
      name,
      hourly_rate: formatMicros(hourly),
      today: formatMicros(today),
      month: formatMicros(month),
      cvms: formatMicros(cvms),
      ai: formatMicros(ai),
      orders: formatMicros(orders),
    })),
  };
}
