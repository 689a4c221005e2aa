import { sql, type Kysely } from 'kysely';
import { findCvmIds } from '../cvms/cvmLookup';
import type { Database } from '../core/schema';

/**
 * Resolves names in an event search to numbers within one team; several objects may have had the same name
 * over time.
 */

const MAX_NAMES = 1000;

export async function cvmsNamed(
  db: Kysely<Database>,
  team_id: number,
  names: readonly string[],
): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const name of names) found.set(name, await findCvmIds(db, team_id, name, { deleted: true }));
  return found;
}

/** By app ID (40 hex digits, also with `app_` or `0x`) or by name. */
export async function appsNamed(
  db: Kysely<Database>,
  team_id: number,
  names: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ wanted: string; id: number }>`
    select n.wanted, a.id from unnest(${[...names]}::text[]) n(wanted) join apps a on a.team_id = ${team_id}
      and (a.name = n.wanted or a.app_id = regexp_replace(lower(n.wanted), '^(app_)?(0x)?', ''))
    limit ${MAX_NAMES}`.execute(db);
  return grouped(names, rows);
}

export async function operationsNamed(
  db: Kysely<Database>,
  team_id: number,
  correlation_ids: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ wanted: string; id: number }>`
    select n.wanted, o.id from unnest(${[...correlation_ids]}::text[]) n(wanted)
    join operations o on o.correlation_id = n.wanted::uuid and o.team_id = ${team_id}`.execute(db);
  return grouped(correlation_ids, rows);
}

/** Searches all users: a non-member either caused nothing in the team or did so while a member. */
export async function peopleNamed(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ wanted: string; id: number }>`
    select n.wanted, u.id from unnest(${[...names]}::text[]) n(wanted)
    cross join lateral (
      select id from users where public_id = n.wanted union select id from users where lower(username) = lower(n.wanted)
    ) u limit ${MAX_NAMES}`.execute(db);
  return grouped(names, rows);
}

function grouped(
  names: readonly string[],
  rows: readonly { wanted: string; id: number }[],
): Map<string, number[]> {
  const found = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const { wanted, id } of rows) found.get(wanted)?.push(id);
  return found;
}
