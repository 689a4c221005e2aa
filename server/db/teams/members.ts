import { sql } from 'kysely';
import type { TeamRole } from '../../domain/core/caller';
import type { MemberFields } from '../../domain/teams/memberResponse';
import type { Db, Tx } from '../core/client';
import type { TeamRow } from './teamsTable';
import { endSsoLinks } from './ssoLinks';

/**
 * Locks a team until the transaction ends, which serializes everything that depends on its members. Returns
 * undefined when it is deleted.
 */
export function lockTeam(trx: Tx, team_id: number): Promise<TeamRow | undefined> {
  return trx
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', team_id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function roleOf(db: Db | Tx, team_id: number, user_id: number): Promise<TeamRole | null> {
  const row = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.role')
    .where('m.team_id', '=', team_id)
    .where('m.user_id', '=', user_id)
    .where('u.state', '=', 'active')
    .executeTakeFirst();
  return row?.role ?? null;
}

const members = (db: Db | Tx, team_id: number) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select([
      'm.user_id',
      'u.public_id',
      'u.username',
      'u.email',
      'u.avatar',
      'm.role',
      'u.second_factor_at',
      'm.sso_connection_id',
      'm.created_at',
      'm.last_seen_at',
    ])
    .where('m.team_id', '=', team_id);

export function findMember(
  db: Db | Tx,
  team_id: number,
  public_id: string,
): Promise<MemberFields | undefined> {
  return members(db, team_id).where('u.public_id', '=', public_id).executeTakeFirst();
}

/** Where a page of members ends: owners first, then by name. */
export interface MemberPosition {
  owner: boolean;
  name: string;
  user_id: number;
}

export interface MemberQuery {
  team_id: number;
  /** Part of a name or address. */
  q: string | null;
  after: MemberPosition | null;
  limit: number;
}

const NAME = sql<string>`lower(u.username)`;

function matching(db: Db, { team_id, q }: Pick<MemberQuery, 'team_id' | 'q'>) {
  const query = members(db, team_id);
  return q === null
    ? query
    : query.where(sql<boolean>`strpos(lower(u.username || ' ' || u.email), lower(${q})) > 0`);
}

export function listMembers(db: Db, query: MemberQuery): Promise<(MemberFields & { name: string })[]> {
  const { after, limit } = query;
  let rows = matching(db, query).select(NAME.as('name'));
  if (after)
    rows = rows.where(
      sql<boolean>`(m.role <> 'owner', ${NAME}, m.user_id) > (${!after.owner}::boolean, ${after.name}::text, ${after.user_id}::bigint)`,
    );
  return rows
    .orderBy(sql`m.role <> 'owner'`)
    .orderBy(NAME)
    .orderBy('m.user_id')
    .limit(limit)
    .execute();
}

export async function countMembers(db: Db, query: Pick<MemberQuery, 'team_id' | 'q'>): Promise<number> {
  const row = await matching(db, query)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Counts owners who can sign in: a team must keep one who may do everything. */
export async function countOwners(trx: Tx, team_id: number): Promise<number> {
  const row = await members(trx, team_id)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('m.role', '=', 'owner')
    .where('u.state', '=', 'active')
    .executeTakeFirstOrThrow();
  return row.n;
}

export interface Addressee {
  user_id: number;
  email: string;
}

/** Returns mail recipients; of some roles, or all members. */
export function memberAddresses(
  trx: Tx,
  team_id: number,
  roles: readonly TeamRole[] | null,
  limit: number,
): Promise<Addressee[]> {
  let query = members(trx, team_id)
    .clearSelect()
    .select(['m.user_id', 'u.email'])
    .where('u.state', '=', 'active');
  if (roles) query = query.where('m.role', 'in', [...roles]);
  return query.orderBy('m.user_id').limit(limit).execute();
}

/** Returns false when the user is already in the team. A user's first team becomes their default. */
export async function addMember(
  trx: Tx,
  { team_id, user_id, role }: { team_id: number; user_id: number; role: TeamRole },
): Promise<boolean> {
  const { rows } = await sql<{ role: TeamRole }>`
    insert into memberships (team_id, user_id, role, is_default)
    select ${team_id}, ${user_id}, ${role}, not exists (select 1 from memberships where user_id = ${user_id} and is_default)
    on conflict (team_id, user_id) do nothing returning role`.execute(trx);
  return rows.length > 0;
}

/** Sets a role manually; from then on the sign-in provider no longer changes it. */
export async function setRole(trx: Tx, team_id: number, user_id: number, role: TeamRole): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ role, sso_connection_id: null })
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .execute();
}

/**
 * Removes a member with their tokens, approved logins and single sign-on link in the team, and the sessions
 * it opened.
 */
export async function removeMember(trx: Tx, team_id: number, user_id: number): Promise<{ tokens: number }> {
  await trx.deleteFrom('memberships').where('team_id', '=', team_id).where('user_id', '=', user_id).execute();
  const revoked = await trx
    .updateTable('api_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  await endSsoLinks(trx, user_id, { team_id });
  await denyApprovedLogins(trx, team_id, user_id);
  await settleDefaults(trx, [user_id]);
  return { tokens: Number(revoked.numUpdatedRows) };
}

/** Denies approved logins whose token hasn't been fetched. `user_id` null: all users'. */
export async function denyApprovedLogins(trx: Tx, team_id: number, user_id: number | null): Promise<void> {
  let query = trx
    .updateTable('device_authorizations')
    .set({ state: 'denied' })
    .where('team_id', '=', team_id)
    .where('state', '=', 'approved');
  if (user_id !== null) query = query.where('user_id', '=', user_id);
  await query.execute();
}

/** Makes the oldest remaining team the default of users who lost their default team. */
export async function settleDefaults(trx: Tx, user_ids: readonly number[]): Promise<void> {
  await sql`
    update memberships m set is_default = true
    from (
      select distinct on (o.user_id) o.user_id, o.team_id
      from memberships o join teams t on t.id = o.team_id and t.deleted_at is null
      where o.user_id = any(${[...user_ids]}::bigint[])
        and not exists (select 1 from memberships d where d.user_id = o.user_id and d.is_default)
      order by o.user_id, o.created_at, o.team_id
    ) first
    where m.user_id = first.user_id and m.team_id = first.team_id`.execute(trx);
}

export async function setDefaultTeam(trx: Tx, user_id: number, team_id: number): Promise<void> {
  await sql`update memberships set is_default = (team_id = ${team_id}) where user_id = ${user_id}`.execute(
    trx,
  );
}

/**
 * Records a visit, rounded to the hour: other members may see no more. Never before the user joined, as rounding
 * down in the hour of joining would.
 */
export async function noteSeen(db: Db, team_id: number, user_id: number): Promise<void> {
  await sql`update memberships set last_seen_at = greatest(date_trunc('hour', now()), created_at)
    where team_id = ${team_id} and user_id = ${user_id}
      and (last_seen_at is null or last_seen_at < date_trunc('hour', now()))`.execute(db);
}
