import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

export interface TeepodTeam {
  id: number;
  slug: string;
  name: string;
  cvm_count: number;
}

/** Returns the teams a teepod is assigned to, with each one's usage there. */
export async function teepodTeams(db: Db, teepod_id: number): Promise<TeepodTeam[]> {
  const { rows } = await sql<TeepodTeam>`
    select t.id, t.slug, t.name, (select count(*)::int from cvms c
      where c.teepod_id = tt.teepod_id and c.team_id = t.id and c.deleted_at is null) as cvm_count
    from teepod_teams tt join teams t on t.id = tt.team_id
    where tt.teepod_id = ${teepod_id} and t.deleted_at is null order by t.slug limit 1000`.execute(db);
  return rows;
}

export const findTeamBySlug = (db: Db | Tx, slug: string) =>
  db
    .selectFrom('teams')
    .select(['id', 'slug'])
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/**
 * Opens a local teepod that isn't open to all teams to platform administrators' teams: those owned by
 * `user_id`, `team_id`, or without either, all of them.
 */
export async function allowLocalTeepod(
  trx: Tx,
  { user_id = null, team_id = null }: { user_id?: number | null; team_id?: number | null } = {},
): Promise<void> {
  await sql`
    insert into teepod_teams (teepod_id, team_id)
    select t.id, m.team_id
    from teepods t, memberships m join users u on u.id = m.user_id
    where t.kind = 'local' and not t.all_teams and m.role = 'owner' and u.platform_role = 'admin'
      and (${user_id}::bigint is null or m.user_id = ${user_id})
      and (${team_id}::bigint is null or m.team_id = ${team_id})
    on conflict do nothing`.execute(trx);
}

/** Whether a new team can deploy. The first account administers the server, so every host can be opened to its team. */
export const OPEN_TO_NEW_TEAMS = sql<boolean>`
  (exists (select from teepods where all_teams) or not exists (select from users))`;

/** Returns whether hosts are open to new teams, and which of these teams have any open host. */
export async function hostAccess(db: Db, team_ids: readonly number[]) {
  const { rows } = await sql<{ is_open: boolean; team_ids: number[] }>`
    select ${OPEN_TO_NEW_TEAMS} as is_open,
      array(select id::int from teams where id = any(${[...team_ids]}::bigint[])
        and (exists (select from teepods where all_teams)
          or exists (select from teepod_teams tt where tt.team_id = teams.id))) as team_ids`.execute(db);
  return { is_open: rows[0]?.is_open ?? false, team_ids: new Set(rows[0]?.team_ids) };
}
