import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

const MAX_VERSIONS = 10_000;

export interface StoredVersion {
  id: number;
  template_id: string;
  version: string;
  compose_file_hash: string | null;
}

/** Returns the deployed versions of the server's templates. */
export const storedVersions = (db: Db): Promise<StoredVersion[]> =>
  db
    .selectFrom('template_versions')
    .select(['id', 'template_id', 'version', 'compose_file_hash'])
    .where('team_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_VERSIONS)
    .execute();

/** A stored version of the server's templates that has a newer one. */
export interface OutdatedVersion {
  id: number;
  template_id: string;
  /** Name of the template. */
  name: string;
  newer: string;
  newer_hash: string;
}

export interface AppBehind {
  id: number;
  app_id: string;
  name: string;
  team_id: number;
  cvm_id: number;
  template_id: string;
  template_name: string;
  version: string;
  newer: string;
}

/**
 * These, and outdated versions of teams' own templates whose newer version has another file. Unlimited: a list
 * with a limit would omit some teams for others, and end their notices.
 */
const outdatedRows = (outdated: readonly OutdatedVersion[]) => sql`(
  select * from unnest(${outdated.map(({ id }) => id)}::bigint[], ${outdated.map(({ template_id }) => template_id)}::text[],
    ${outdated.map(({ name }) => name)}::text[], ${outdated.map(({ newer }) => newer)}::text[],
    ${outdated.map(({ newer_hash }) => newer_hash)}::text[])
  union all
  select v.id, v.template_id, t.name, cur.version, cur.compose_file_hash
  from team_templates t
  join template_versions cur on cur.id = t.version_id
  join template_versions v on v.template_id = t.public_id and v.id < cur.id
    and v.compose_file_hash <> cur.compose_file_hash)
  as o(version_id, template_id, template_name, newer, newer_hash)`;

/** The CVM that represents an app to clients. */
const currentCvm = (app: ReturnType<typeof sql.ref>) => sql`
  select c.id, c.revision_id from cvms c where c.app_id = ${app} and c.deleted_at is null
  order by c.status = 'running' desc, c.id limit 1`;

/** Returns apps from an outdated version whose team wasn't notified of the newer one yet. */
export async function appsBehind(
  trx: Tx,
  outdated: readonly OutdatedVersion[],
  limit: number,
): Promise<AppBehind[]> {
  const { rows } = await sql<AppBehind>`
    select a.id, a.app_id, a.name, a.team_id, c.id as cvm_id, o.template_id, o.template_name, v.version, o.newer
    from ${outdatedRows(outdated)}
    join template_versions v on v.id = o.version_id
    join revisions r on r.template_version_id = o.version_id
    join apps a on a.id = r.app_id and a.archived_at is null
    join teams t on t.id = a.team_id and t.deleted_at is null
    join lateral (${currentCvm(sql.ref('a.id'))}) c on c.revision_id = r.id
    where not exists (
        select 1 from template_notices n
        where n.app_id = a.id and n.template_id = o.template_id and n.version = o.newer)
      and encode(sha256(convert_to(r.docker_compose_file, 'UTF8')), 'hex') <> o.newer_hash
    order by a.id limit ${limit}`.execute(trx);
  return rows;
}

/** Records that the team was notified. @returns false if it already was */
export async function noteTemplateNotice(
  trx: Tx,
  { id, template_id, newer }: Pick<AppBehind, 'id' | 'template_id' | 'newer'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('template_notices')
    .values({ app_id: id, template_id, version: newer })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Ends the notices of apps that are no longer behind the notified version. */
export async function endTemplateNotices(
  trx: Tx,
  outdated: readonly OutdatedVersion[],
  limit: number,
): Promise<{ app_id: string; team_id: number }[]> {
  const { rows } = await sql<{ app_id: string; team_id: number }>`
    update template_notices n set ended_at = now() from apps a
    where a.id = n.app_id and n.ended_at is null and (n.app_id, n.template_id, n.version) in (
      select e.app_id, e.template_id, e.version from template_notices e
      where e.ended_at is null and not exists (
        select 1 from ${outdatedRows(outdated)}
        join revisions r on r.template_version_id = o.version_id
        join lateral (${currentCvm(sql.ref('e.app_id'))}) c on c.revision_id = r.id
        where o.template_id = e.template_id and o.newer = e.version
          and encode(sha256(convert_to(r.docker_compose_file, 'UTF8')), 'hex') <> o.newer_hash)
      limit ${limit})
    returning a.app_id, a.team_id`.execute(trx);
  return rows;
}
