import { sql } from 'kysely';
import type { Db } from '../core/client';

/** Returns which of `hashes` belong to a revision of the app. */
export async function knownHashes(db: Db, app: number, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ compose_hash: string }>`
    select distinct compose_hash from revisions
    where app_id = ${app} and compose_hash = any(${[...new Set(hashes)]}::text[])`.execute(db);
  return new Set(rows.map((row) => row.compose_hash));
}

/** The device of the machine behind a teepod that the team may use. */
export async function deviceOfTeepod(db: Db, team_id: number, teepod_id: number): Promise<string | null> {
  const { rows } = await sql<{ device_id: string | null }>`
    select n.device_id from teepods t join nodes n on n.id = t.node_id
    where t.id = ${teepod_id}
      and (t.all_teams or exists (select 1 from teepod_teams tt where tt.teepod_id = t.id and tt.team_id = ${team_id}))`.execute(
    db,
  );
  return rows[0]?.device_id ?? null;
}

/** Returns the devices of the machines whose teepods the team may use with this key service. */
export async function devicesForKms(
  db: Db,
  team_id: number,
  kms_id: number,
): Promise<{ device_id: string; name: string }[]> {
  const { rows } = await sql<{ device_id: string; name: string }>`
    select n.device_id, min(n.name) as name from teepods t join nodes n on n.id = t.node_id
    where n.device_id is not null
      and (t.kms_id = ${kms_id} or exists (select 1 from teepod_kms k where k.teepod_id = t.id and k.kms_id = ${kms_id}))
      and (t.all_teams or exists (select 1 from teepod_teams tt where tt.teepod_id = t.id and tt.team_id = ${team_id}))
    group by 1 order by 2 limit 500`.execute(db);
  return rows;
}
