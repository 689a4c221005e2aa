import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AppFields } from '../domain/wire/app';
import type { AppRow, Database, KmsRow } from './schema';

type Db = Kysely<Database>;

export interface AppSummary extends AppFields {
  app: AppRow;
}

/** What `GET /apps` filters by; an app fits when one of its live CVMs fits all of what concerns CVMs. */
export interface AppFilter {
  search?: string | undefined;
  status?: readonly string[] | undefined;
  listed?: boolean | undefined;
  base_image?: string | undefined;
  instance_type?: string | undefined;
  kms_slug?: string | undefined;
  kms_type?: string | undefined;
  node?: string | undefined;
  region?: string | undefined;
}

type Flat = AppRow & {
  kms_type: KmsRow['type'] | null;
  cvm_count: number;
  latest_revision_number: number | null;
};

const summary = sql`
  select apps.*, kms.type as kms_type,
    (select count(*) from cvms where cvms.app_id = apps.id and cvms.deleted_at is null) as cvm_count,
    (select max(revisions.number) from revisions where revisions.app_id = apps.id) as latest_revision_number
  from apps left join kms on kms.id = apps.kms_id`;

/** A page of the team's apps that have not been archived, newest first. */
export async function listApps(
  db: Db,
  team_id: number,
  filter: AppFilter,
  page: { page: number; page_size: number },
): Promise<{ apps: AppSummary[]; total: number }> {
  const where = appsWhere(team_id, filter);
  const [found, count] = await Promise.all([
    sql<Flat>`${summary} where ${where} order by apps.created_at desc, apps.id desc
      limit ${page.page_size} offset ${(page.page - 1) * page.page_size}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from apps left join kms on kms.id = apps.kms_id where ${where}`.execute(db),
  ]);
  return { apps: found.rows.map(summaryOf), total: count.rows[0]?.total ?? 0 };
}

/** By its 40 hex digits; archived ones too, as their history stays readable. */
export async function findApp(db: Db, team_id: number, app_id: string): Promise<AppSummary | null> {
  const { rows } = await sql<Flat>`
    ${summary} where apps.app_id = ${app_id} and apps.team_id = ${team_id}`.execute(db);
  return rows[0] ? summaryOf(rows[0]) : null;
}

function summaryOf({ kms_type, cvm_count, latest_revision_number, ...app }: Flat): AppSummary {
  return { app, kms_type: kms_type ?? 'phala', cvm_count, latest_revision_number };
}

function appsWhere(team_id: number, filter: AppFilter): RawBuilder<unknown> {
  const conditions = [sql`apps.team_id = ${team_id}`, sql`apps.archived_at is null`];
  if (filter.kms_slug !== undefined) conditions.push(sql`kms.slug = ${filter.kms_slug}`);
  if (filter.kms_type !== undefined)
    conditions.push(sql`coalesce(kms.type, 'phala') = ${filter.kms_type.toLowerCase()}`);
  const search = filter.search?.trim();
  if (search) {
    const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(
      apps.name ilike ${like} ${orHex(search, ['apps.app_id'])} or exists (
        select 1 from cvms where cvms.app_id = apps.id and cvms.deleted_at is null and (
          cvms.name ilike ${like} ${orHex(search, ["replace(cvms.vm_uuid::text, '-', '')", 'cvms.instance_id'])}
        )
      )
    )`);
  }
  const ofCvm = cvmConditions(filter);
  if (ofCvm.length > 0) {
    conditions.push(sql`exists (
      select 1 from cvms
      join teepods on teepods.id = cvms.teepod_id
      join nodes on nodes.id = teepods.node_id
      where cvms.app_id = apps.id and cvms.deleted_at is null and ${sql.join(ofCvm, sql` and `)}
    )`);
  }
  return sql.join(conditions, sql` and `);
}

/** `or …` for a part of an id, without the prefix and dashes ids are quoted with; nothing for other text. */
function orHex(search: string, columns: readonly string[]): RawBuilder<unknown> {
  const hex = /^(?:app_|instance_)?(?:0x)?([0-9a-f-]+)$/i
    .exec(search)?.[1]
    ?.replaceAll('-', '')
    .toLowerCase();
  if (!hex) return sql``;
  return sql.join(
    columns.map((column) => sql`or ${sql.raw(column)} like ${`%${hex}%`}`),
    sql` `,
  );
}

function cvmConditions(filter: AppFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (filter.status && filter.status.length > 0)
    conditions.push(sql`cvms.status = any(${[...filter.status]}::text[])`);
  if (filter.listed !== undefined) conditions.push(sql`cvms.listed = ${filter.listed}`);
  if (filter.base_image !== undefined) conditions.push(sql`cvms.os_image = ${filter.base_image}`);
  if (filter.instance_type !== undefined) conditions.push(sql`cvms.instance_type = ${filter.instance_type}`);
  // The id or the name: clients show both.
  if (filter.node !== undefined)
    conditions.push(sql`(teepods.name = ${filter.node} or teepods.id::text = ${filter.node})`);
  if (filter.region !== undefined) conditions.push(sql`nodes.region = ${filter.region}`);
  return conditions;
}
