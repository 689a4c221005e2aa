import { sql } from 'kysely';
import { newWallet } from '../domain/appId';
import type { TeamRole } from '../domain/caller';
import { publicId } from '../domain/publicId';
import { slugCandidates } from '../domain/slugs';
import type { Db, Tx } from './client';
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
    const { is_default, owner_id: user_id } = team;
    await trx
      .insertInto('memberships')
      .values({ team_id: row.id, user_id, role: 'owner', is_default })
      .execute();
    return { ...row, role: 'owner', is_default };
  }
  return null;
}

const memberships = (db: Db | Tx, user_id: number) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .selectAll('t')
    .select(['m.role', 'm.is_default'])
    .where('m.user_id', '=', user_id);

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
export async function formerSlugs(db: Db, team_ids: readonly number[]): Promise<Map<number, string[]>> {
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
  const row = await db
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return row.n;
}

export function findTeamById(db: Db | Tx, id: number): Promise<TeamRow | undefined> {
  return db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirst();
}
