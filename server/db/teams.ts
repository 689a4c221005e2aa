import { sql } from 'kysely';
import { newWallet } from '../domain/appId';
import type { TeamRole } from '../domain/caller';
import { publicId } from '../domain/publicId';
import { slugCandidates } from '../domain/slugs';
import { brokenConstraint, type Db, type Tx } from './client';
import { denyApprovedLogins, settleDefaults } from './members';
import type { TeamRow } from './schema';

/** A team and what one person is in it. */
export interface TeamMembership extends TeamRow {
  role: TeamRole;
  is_default: boolean;
}

export interface NewTeam {
  name: string;
  owner_id: number;
  is_default: boolean;
  /** Exactly this address. */
  slug?: string;
  /** First path segments of this installation that no team may have, besides the product's own. */
  reserved: Iterable<string>;
}

/** Makes a team with its owner; null when the address asked for is taken. Without one it is derived from the name. */
export async function createTeam(trx: Tx, team: NewTeam): Promise<TeamMembership | null> {
  const slugs = team.slug === undefined ? slugCandidates(team.name, team.reserved) : [team.slug];
  for (const slug of slugs) {
    // A conflict is no error here: an error would end the transaction, and with it the registration.
    const row = await trx
      .insertInto('teams')
      .values({ public_id: publicId('wks'), slug, name: team.name, wallet_address: newWallet() })
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
    return { ...row, role: 'owner', is_default };
  }
  return null;
}

/**
 * Whether a team had the address before, which then is nobody else's. Asked after taking it: whoever gave it up at the
 * same moment has then written it down.
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

const memberships = (db: Db | Tx, user_id: number) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .selectAll('t')
    .select(['m.role', 'm.is_default'])
    .where('m.user_id', '=', user_id)
    .where('t.deleted_at', 'is', null);

/** The person's team of that address, or undefined when it is not theirs. */
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
  /** Only this team: what a token sees. */
  team_id?: number | null;
  after?: { is_default: boolean; id: number } | null;
  limit: number;
}

/** The person's teams, default first, then oldest first: a keyset that a new team only ever adds to at its end. */
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

/** Addresses the teams had before, by team. */
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

/** Former addresses a team may hold, as each is kept from everybody else. */
export const MOST_FORMER_SLUGS = 20;

export interface TeamPatch {
  name?: string;
  slug?: string;
  require_second_factor?: boolean;
}

/**
 * Changes a team that `lockTeam` holds. The address it had stays its own, and one it had before can be taken back.
 * 'taken' when another team has or had the address, 'too_many' when it would leave more behind than may be.
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
    if ((former.get(team.id)?.length ?? 0) > MOST_FORMER_SLUGS) return 'too_many';
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

/** What keeps a team from being deleted. */
export function liveCvms(trx: Tx, team_id: number, limit: number): Promise<TeamCvm[]> {
  return trx
    .selectFrom('cvms')
    .select(['vm_uuid', 'name', 'status'])
    .where('team_id', '=', team_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Ends a team that `lockTeam` holds: nobody is in it any more, its tokens, invitations, approved logins and single
 * sign-on are over. The row stays, so that its address goes to nobody else and its history has a name.
 */
export async function endTeam(trx: Tx, team_id: number): Promise<{ members: number; tokens: number }> {
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
  // Nothing more is sent, and the secrets are gone.
  await trx.deleteFrom('webhooks').where('team_id', '=', team_id).execute();
  await settleDefaults(
    trx,
    left.map(({ user_id }) => user_id),
  );
  return { members: left.length, tokens: Number(tokens.numUpdatedRows) };
}
