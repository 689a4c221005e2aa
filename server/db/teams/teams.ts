import { sql } from 'kysely';
import { newWallet } from '../../domain/apps/appId';
import type { TeamRole } from '../../domain/core/caller';
import { publicId } from '../../domain/core/publicId';
import { slugCandidates } from '../../domain/teams/slugs';
import { endOrdersOf } from '../billing/orders/refundOrder';
import { cancelPaymentsOf } from '../billing/payments';
import { brokenConstraint, type Db, type Tx } from '../core/client';
import { denyApprovedLogins, settleDefaults } from './members';
import type { TeamRow } from './teamsTable';
import { allowLocalTeepod } from '../hosts/teepodTeams';

/** A team and one user's membership in it. */
export interface TeamMembership extends TeamRow {
  role: TeamRole;
  is_default: boolean;
}

export interface NewTeam {
  name: string;
  owner_id: number;
  is_default: boolean;
  /** Exactly this slug. */
  slug?: string;
  /** First path segments of this installation that no team may use, besides the product's own. */
  reserved: Iterable<string>;
  /** Null: limited only by the hosts, as for platform administrators' teams. */
  quota: TeamQuota | null;
}

type TeamQuota = Pick<TeamRow, 'max_cvms' | 'max_vcpu' | 'max_memory_mb' | 'max_disk_gb'>;

/**
 * Creates a team with its owner; returns null when the requested address is taken. Without one, derives it
 * from the name.
 */
export async function createTeam(trx: Tx, team: NewTeam): Promise<TeamMembership | null> {
  const slugs = team.slug === undefined ? slugCandidates(team.name, team.reserved) : [team.slug];
  for (const slug of slugs) {
    // A conflict must not raise an error here: that would abort the transaction, and with it the
    // registration.
    const row = await trx
      .insertInto('teams')
      .values({
        public_id: publicId('wks'),
        slug,
        name: team.name,
        wallet_address: newWallet(),
        created_by: team.owner_id,
        ...team.quota,
      })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) continue;
    if (await wasOfAnother(trx, slug, row.id)) {
      await trx.deleteFrom('teams').where('id', '=', row.id).execute();
      continue;
    }
    const { is_default, owner_id: user_id } = team;
    await trx
      .insertInto('memberships')
      .values({ team_id: row.id, user_id, role: 'owner', is_default })
      .execute();
    await allowLocalTeepod(trx, { team_id: row.id });
    return { ...row, role: 'owner', is_default };
  }
  return null;
}

/**
 * Whether another team had the address before, which keeps it reserved. Call after taking the address: a team
 * giving it up concurrently has then recorded that.
 */
async function wasOfAnother(trx: Tx, slug: string, team_id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('team_former_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .where('team_id', '<>', team_id)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts teams the user created or owns. A transferred team counts for both users, so that nobody can create
 * teams without limit.
 */
export async function countOwnTeams(trx: Tx, user_id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from teams t
    where t.deleted_at is null and (t.created_by = ${user_id} or exists (
      select from memberships m where m.team_id = t.id and m.user_id = ${user_id} and m.role = 'owner'))`.execute(
    trx,
  );
  return rows[0]?.n ?? 0;
}

const memberships = (db: Db | Tx, user_id: number) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .selectAll('t')
    .select(['m.role', 'm.is_default'])
    .where('m.user_id', '=', user_id)
    .where('t.deleted_at', 'is', null);

/** Returns the user's team at that address, or undefined when they aren't in it. */
export function findTeam(db: Db | Tx, user_id: number, slug: string): Promise<TeamMembership | undefined> {
  return memberships(db, user_id).where('t.slug', '=', slug).executeTakeFirst();
}

/** Default team first, then by name. */
export function defaultTeam(db: Db | Tx, user_id: number): Promise<TeamMembership | undefined> {
  return memberships(db, user_id)
    .orderBy('m.is_default', 'desc')
    .orderBy('m.created_at')
    .orderBy('t.id')
    .limit(1)
    .executeTakeFirst();
}

export interface TeamPage {
  user_id: number;
  /** Only this team: a token's view. */
  team_id?: number | null;
  after?: { is_default: boolean; id: number } | null;
  limit: number;
}

/** Returns the user's teams, default first, then oldest first: a keyset to which a new team only appends. */
export function listTeams(
  db: Db,
  { user_id, team_id = null, after = null, limit }: TeamPage,
): Promise<TeamMembership[]> {
  let query = memberships(db, user_id);
  if (team_id !== null) query = query.where('t.id', '=', team_id);
  if (after)
    query = query.where(
      sql<boolean>`(not m.is_default, t.id) > (${!after.is_default}::boolean, ${after.id}::bigint)`,
    );
  return query.orderBy('m.is_default', 'desc').orderBy('t.id').limit(limit).execute();
}

/** Returns former team addresses, by team. */
export async function formerSlugs(db: Db | Tx, team_ids: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('team_former_slugs')
    .select(['team_id', 'slug'])
    .where('team_id', 'in', [...team_ids, -1])
    .orderBy('created_at', 'desc')
    .limit(5000)
    .execute();
  const byTeam = new Map<number, string[]>();
  for (const { team_id, slug } of rows) byTeam.set(team_id, [...(byTeam.get(team_id) ?? []), slug]);
  return byTeam;
}

export async function countTeams(db: Db, user_id: number): Promise<number> {
  const row = await memberships(db, user_id)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

export function findTeamById(db: Db | Tx, id: number): Promise<TeamRow | undefined> {
  return db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Former addresses per team, because each stays reserved for it. */
export const MAX_FORMER_SLUGS = 20;

export interface TeamPatch {
  name?: string;
  slug?: string;
  require_second_factor?: boolean;
  confidential_models_enabled?: boolean;
}

/**
 * Updates a team that `lockTeam` holds. Its old address stays reserved for it, and a former one can be taken
 * back. 'taken' when another team has or had the address, 'too_many' when the team would hold too many former
 * addresses.
 */
export async function updateTeam(
  trx: Tx,
  team: Pick<TeamRow, 'id' | 'slug'>,
  patch: TeamPatch,
): Promise<'taken' | 'too_many' | null> {
  const { slug } = patch;
  const moves = slug !== undefined && slug !== team.slug;
  if (moves) {
    const holder = await trx.selectFrom('teams').select('id').where('slug', '=', slug).executeTakeFirst();
    if (holder) return 'taken';
    await trx
      .deleteFrom('team_former_slugs')
      .where('slug', '=', slug)
      .where('team_id', '=', team.id)
      .execute();
    await trx.insertInto('team_former_slugs').values({ slug: team.slug, team_id: team.id }).execute();
    const former = await formerSlugs(trx, [team.id]);
    if ((former.get(team.id)?.length ?? 0) > MAX_FORMER_SLUGS) return 'too_many';
  }
  try {
    await trx
      .updateTable('teams')
      .set({ ...patch, updated_at: new Date() })
      .where('id', '=', team.id)
      .execute();
  } catch (error) {
    if (brokenConstraint(error) === 'teams_slug_key') return 'taken';
    throw error;
  }
  return moves && (await wasOfAnother(trx, slug, team.id)) ? 'taken' : null;
}

export interface TeamCvm {
  vm_uuid: string;
  name: string;
  status: string;
}

/** Returns the CVMs that keep a team from being deleted. */
export function liveCvms(db: Db | Tx, team_id: number, limit: number): Promise<TeamCvm[]> {
  return db
    .selectFrom('cvms')
    .select(['vm_uuid', 'name', 'status'])
    .where('team_id', '=', team_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Deletes a team that `lockTeam` holds: its memberships, tokens, invitations, approved logins, single
 * sign-on, orders and unpaid payments end. The row stays, so that its address isn't reused and its history has a name.
 */
export async function endTeam(
  trx: Tx,
  team_id: number,
): Promise<{ members: number; tokens: number; orders: number; payments: number }> {
  const now = sql<Date>`now()`;
  await trx
    .updateTable('teams')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', team_id)
    .execute();
  const left = await trx
    .deleteFrom('memberships')
    .where('team_id', '=', team_id)
    .returning('user_id')
    .execute();
  const tokens = await trx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('team_id', '=', team_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  await trx
    .updateTable('invitations')
    .set({ state: 'revoked' })
    .where('team_id', '=', team_id)
    .where('state', '=', 'pending')
    .execute();
  await denyApprovedLogins(trx, team_id, null);
  await trx.deleteFrom('sso_connections').where('team_id', '=', team_id).execute();
  await trx
    .updateTable('ai_keys')
    .set({ revoked_at: now })
    .where('team_id', '=', team_id)
    .where('revoked_at', 'is', null)
    .execute();
  const orders = await endOrdersOf(trx, team_id);
  const payments = await cancelPaymentsOf(trx, team_id);
  // Deleting these stops deliveries and erases their secrets.
  await trx.deleteFrom('webhooks').where('team_id', '=', team_id).execute();
  await trx.deleteFrom('team_templates').where('team_id', '=', team_id).execute();
  await trx.deleteFrom('ai_models').where('team_id', '=', team_id).execute();
  await trx.deleteFrom('ai_upstreams').where('team_id', '=', team_id).execute();
  await settleDefaults(
    trx,
    left.map(({ user_id }) => user_id),
  );
  return { members: left.length, tokens: Number(tokens.numUpdatedRows), orders, payments };
}
