import { sql, type ColumnType, type Generated, type GeneratedAlways, type Selectable } from 'kysely';
import type { TemplateInput } from '../../../generated/api/types.gen';
import type { Db, Tx } from '../core/client';
import { toJson } from '../core/json';

/** One row per template of a team (migration 0219_team_templates). */
export interface TeamTemplatesTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  name: string;
  summary: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  inputs: ColumnType<TemplateInput[], string, string>;
  images: ColumnType<string[], string, string>;
  /** Counts from 1. */
  version: Generated<number>;
  version_id: number;
  created_by: number | null;
  updated_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** A template with its version's Compose file. */
export type TeamTemplateRow = Selectable<TeamTemplatesTable> & {
  compose_file: string;
  compose_file_hash: string;
  author: string | null;
};

const MAX_LISTED = 100;
/** Versions kept per template, besides those with deployments. */
const KEPT_VERSIONS = 100;

const columns = sql`t.*, v.compose_file, v.compose_file_hash, u.username as author`;
const tables = sql`team_templates t join template_versions v on v.id = t.version_id left join users u on u.id = t.updated_by`;

export async function listTeamTemplates(db: Db, team_id: number): Promise<TeamTemplateRow[]> {
  const { rows } = await sql<TeamTemplateRow>`
    select ${columns} from ${tables} where t.team_id = ${team_id}
    order by lower(t.name), t.id limit ${MAX_LISTED}`.execute(db);
  return rows;
}

export async function findTeamTemplate(
  db: Db | Tx,
  team_id: number,
  public_id: string,
): Promise<TeamTemplateRow | undefined> {
  const { rows } = await sql<TeamTemplateRow>`
    select ${columns} from ${tables} where t.team_id = ${team_id} and t.public_id = ${public_id}`.execute(db);
  return rows[0];
}

/** Locked until the transaction ends: of two concurrent changes, the second builds on the first. */
export async function lockTeamTemplate(
  trx: Tx,
  team_id: number,
  public_id: string,
): Promise<TeamTemplateRow | undefined> {
  await sql`select 1 from team_templates where team_id = ${team_id} and public_id = ${public_id} for update`.execute(
    trx,
  );
  return findTeamTemplate(trx, team_id, public_id);
}

export async function countTeamTemplates(trx: Tx, team_id: number): Promise<number> {
  const { n } = await trx
    .selectFrom('team_templates')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('team_id', '=', team_id)
    .executeTakeFirstOrThrow();
  return n;
}

export async function isTemplateNameTaken(
  trx: Tx,
  { team_id, name, besides }: { team_id: number; name: string; besides: number | null },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from team_templates where team_id = ${team_id} and lower(name) = lower(${name})
      and id is distinct from ${besides}::bigint`.execute(trx);
  return rows.length > 0;
}

export interface TeamTemplateFields {
  name: string;
  summary: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  inputs: readonly TemplateInput[];
  images: readonly string[];
  version: number;
  version_id: number;
}

const stored = ({ inputs, images, ...fields }: TeamTemplateFields) => ({
  ...fields,
  inputs: toJson(inputs),
  images: toJson(images),
});

export async function insertTeamTemplate(
  trx: Tx,
  owner: { public_id: string; team_id: number; created_by: number | null },
  fields: TeamTemplateFields,
): Promise<void> {
  await trx
    .insertInto('team_templates')
    .values({ ...owner, updated_by: owner.created_by, ...stored(fields) })
    .execute();
}

export async function changeTeamTemplate(
  trx: Tx,
  id: number,
  updated_by: number | null,
  fields: TeamTemplateFields,
): Promise<void> {
  await trx
    .updateTable('team_templates')
    .set({ ...stored(fields), updated_by, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Deletes the template. Deployed versions stay, so that apps still name their origin. */
export async function deleteTeamTemplate(
  trx: Tx,
  { id, public_id }: { id: number; public_id: string },
): Promise<void> {
  await trx.deleteFrom('team_templates').where('id', '=', id).execute();
  await pruneVersions(trx, public_id, 0);
}

/**
 * Deletes older unreferenced versions. A version used by a deployment in progress is locked, and stays. The
 * second statement sees the deployments that ended before the first one.
 */
export async function pruneVersions(trx: Tx, public_id: string, keep = KEPT_VERSIONS): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from template_versions where id in (
      select id from template_versions where template_id = ${public_id} order by id desc offset ${keep})
    for update skip locked`.execute(trx);
  if (rows.length === 0) return;
  await sql`
    delete from template_versions v where v.id = any(${rows.map(({ id }) => id)}::bigint[])
      and not exists (select 1 from revisions r where r.template_version_id = v.id)
      and not exists (select 1 from provisions p where p.template_version_id = v.id)
      and not exists (select 1 from team_templates t where t.version_id = v.id)`.execute(trx);
}

export interface VersionChange {
  version: string;
  created_at: Date;
  change: string | null;
}

/** Returns the changes in each version of a team's template, newest first. */
export const versionChanges = (db: Db | Tx, team_id: number, template_id: string): Promise<VersionChange[]> =>
  db
    .selectFrom('template_versions')
    .select(['version', 'created_at', 'change'])
    .where('team_id', '=', team_id)
    .where('template_id', '=', template_id)
    .orderBy('id', 'desc')
    .limit(KEPT_VERSIONS)
    .execute();
