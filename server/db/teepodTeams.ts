import { sql } from 'kysely';
import type { Db, Tx } from './client';

export interface TeepodTeam {
  id: number;
  slug: string;
  name: string;
  cvm_count: number;
}

/** The teams a teepod is given to, with how much each has there. */
export async function teepodTeams(db: Db, teepod_id: number): Promise<TeepodTeam[]> {
  const { rows } = await sql<TeepodTeam>`
    select t.id, t.slug, t.name, (select count(*)::int from cvms c
      where c.teepod_id = tt.teepod_id and c.team_id = t.id and c.deleted_at is null) as cvm_count
    from teepod_teams tt join teams t on t.id = tt.team_id
    where tt.teepod_id = ${teepod_id} and t.deleted_at is null order by t.slug limit 1000`.execute(db);
  return rows;
}

export const findTeamBySlug = (trx: Tx, slug: string) =>
  trx
    .selectFrom('teams')
    .select(['id', 'slug'])
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
