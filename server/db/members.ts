import { sql } from 'kysely';
import type { TeamRole } from '../domain/caller';
import type { Db, Tx } from './client';
import type { TeamRow } from './schema';

/**
 * Holds a team until the transaction ends: whatever depends on who is in it comes one after the other. Undefined when
 * it is deleted.
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

/** A person in a team. */
export interface MemberRow {
  user_id: number;
  public_id: string;
  username: string;
  email: string;
  avatar: string;
  role: TeamRole;
  second_factor_at: Date | null;
  sso_connection_id: number | null;
  created_at: Date;
  last_seen_at: Date | null;
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

export function findMember(db: Db | Tx, team_id: number, public_id: string): Promise<MemberRow | undefined> {
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

export function listMembers(db: Db, query: MemberQuery): Promise<(MemberRow & { name: string })[]> {
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

/** Owners who can sign in: somebody has to be left who may do everything. */
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

/** Whom to write to; of some roles, or everybody. */
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

/** False when the person is in the team already. The first team of somebody who has none becomes their default. */
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

/** A role that a person gave is theirs to change: a sign-in provider keeps its hands off it from then on. */
export async function setRole(trx: Tx, team_id: number, user_id: number, role: TeamRole): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ role, sso_connection_id: null })
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .execute();
}

/** Takes somebody out of the team, with their tokens of it and the logins they approved for it. */
export async function removeMember(trx: Tx, team_id: number, user_id: number): Promise<{ tokens: number }> {
  await trx.deleteFrom('memberships').where('team_id', '=', team_id).where('user_id', '=', user_id).execute();
  const revoked = await trx
    .updateTable('api_tokens')
    .set({ revoked_at: sql<Date>`now()` })
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  await denyApprovedLogins(trx, team_id, user_id);
  await settleDefaults(trx, [user_id]);
  return { tokens: Number(revoked.numUpdatedRows) };
}

/** Approved, but its token not fetched yet. `user_id` null: everybody's. */
export async function denyApprovedLogins(trx: Tx, team_id: number, user_id: number | null): Promise<void> {
  let query = trx
    .updateTable('device_authorizations')
    .set({ state: 'denied' })
    .where('team_id', '=', team_id)
    .where('state', '=', 'approved');
  if (user_id !== null) query = query.where('user_id', '=', user_id);
  await query.execute();
}

/** Whose default team is gone gets their oldest one as default. */
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

/** Notes that somebody was there; "to the hour" is all others may know. */
export async function noteSeen(db: Db, team_id: number, user_id: number): Promise<void> {
  await sql`update memberships set last_seen_at = date_trunc('hour', now())
    where team_id = ${team_id} and user_id = ${user_id}
      and (last_seen_at is null or last_seen_at < date_trunc('hour', now()))`.execute(db);
}
