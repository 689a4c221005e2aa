import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

export interface NewTemplateVersion {
  team_id: number | null;
  template_id: string;
  version: string;
  name: string;
  compose_file: string | null;
  compose_file_hash: string | null;
  /** Change note, for a team's template. */
  change?: string;
}

/** Stores this version unless it is known. @returns its number */
export async function keepTemplateVersion(trx: Tx, version: NewTemplateVersion): Promise<number> {
  const { template_id, version: number, compose_file_hash } = version;
  await trx
    .insertInto('template_versions')
    .values(version)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await trx
    .selectFrom('template_versions')
    .select('id')
    .where('template_id', '=', template_id)
    .where('version', '=', number)
    .where(sql`coalesce(compose_file_hash, '')`, '=', compose_file_hash ?? '')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns the newest row of a deployed version. */
export async function knownTemplateVersion(
  trx: Tx,
  template_id: string,
  version: string,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('template_versions')
    .select('id')
    .where('template_id', '=', template_id)
    .where('version', '=', version)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Keeps a version from being deleted until the transaction ends. @returns false if it is gone */
export async function holdTemplateVersion(trx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from template_versions where id = ${id} for key share`.execute(trx);
  return rows.length > 0;
}

export interface AppOrigin {
  team_id: number | null;
  template_id: string;
  version: string;
  name: string;
  compose_file: string | null;
  compose_file_hash: string | null;
  /** The Compose file that the app runs. */
  running: string;
}

/** The revision of the CVM that represents an app to clients; without CVMs, the newest one. */
const currentRevision = (app: number) => sql`coalesce(
  (select c.revision_id from cvms c where c.app_id = ${app} and c.deleted_at is null
    order by c.status = 'running' desc, c.id limit 1),
  (select r.id from revisions r where r.app_id = ${app} order by r.number desc limit 1))`;

/** Returns the template that an app's current revision came from. */
export async function appOrigin(db: Db, app: number): Promise<AppOrigin | undefined> {
  const { rows } = await sql<AppOrigin>`
    select v.team_id, v.template_id, v.version, v.name, v.compose_file, v.compose_file_hash,
      r.docker_compose_file as running
    from revisions r join template_versions v on v.id = r.template_version_id
    where r.id = ${currentRevision(app)}`.execute(db);
  return rows[0];
}
