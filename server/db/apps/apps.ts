import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AppFields } from '../../domain/apps/appResponse';
import type { AppRow } from './appsTable';
import { currentMicros } from '../cvms/currentMicros';
import type { Database } from '../core/schema';
import type { KmsRow } from '../kms/kmsTable';

type Db = Kysely<Database>;

export interface AppSummary extends AppFields {
  app: AppRow;
}

/** Filters of `GET /apps`; an app matches when one of its live CVMs matches every CVM filter. */
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

type AppSortField = 'name' | 'status' | 'cvm_count' | 'hourly_cost' | 'updated_at' | 'created_at';

export interface AppSort {
  by: AppSortField;
  order: 'asc' | 'desc';
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

const NEWEST_FIRST: AppSort = { by: 'created_at', order: 'desc' };

/**
 * Sort keys besides the columns of `apps`. The indexes on a team's apps and an app's CVMs find the rows; no
 * index could sort by aggregates over CVMs.
 */
const sortKeys: Readonly<Record<AppSortField, RawBuilder<unknown>>> = {
  name: sql`lower(apps.name)`,
  created_at: sql`apps.created_at`,
  cvm_count: ofLiveCvms(sql`count(*)`),
  updated_at: sql`greatest(apps.created_at, ${ofLiveCvms(sql`max(cvms.updated_at)`)})`,
  // Statuses in list order, by an app's most urgent one.
  status: sql`coalesce(${ofLiveCvms(
    sql`min(case cvms.status when 'lost' then 0 when 'error' then 0 when 'running' then 2 when 'stopped' then 3 else 1 end)`,
  )}, 4)`,
  hourly_cost: sql`coalesce(${ofLiveCvms(sql`sum(${currentMicros()})`)}, 0)`,
};

function ofLiveCvms(aggregate: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${aggregate} from cvms where cvms.app_id = apps.id and cvms.deleted_at is null)`;
}

/** Returns a page of the team's apps that aren't archived. */
export async function listApps(
  db: Db,
  team_id: number,
  filter: AppFilter,
  page: { page: number; page_size: number },
  sort: AppSort = NEWEST_FIRST,
): Promise<{ apps: AppSummary[]; total: number }> {
  const where = appsWhere(team_id, filter);
  const [found, count] = await Promise.all([
    sql<Flat>`${summary} where ${where}
      order by ${sortKeys[sort.by]} ${sort.order === 'asc' ? sql`asc` : sql`desc`}, apps.created_at desc, apps.id desc
      limit ${page.page_size} offset ${(page.page - 1) * page.page_size}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from apps left join kms on kms.id = apps.kms_id where ${where}`.execute(db),
  ]);
  return { apps: found.rows.map(summaryOf), total: count.rows[0]?.total ?? 0 };
}

/** By its 40 hex digits. Includes archived apps, whose history stays readable. */
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

/** Returns `or …` for a part of an ID, without its prefix and dashes; empty for other text. */
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
  // Matches the ID or the name, because clients show both.
  if (filter.node !== undefined)
    conditions.push(sql`(teepods.name = ${filter.node} or teepods.id::text = ${filter.node})`);
  if (filter.region !== undefined) conditions.push(sql`nodes.region = ${filter.region}`);
  return conditions;
}

/** Whether the app's last CVM was deleted. */
export async function isArchived(db: Kysely<Database>, id: number): Promise<boolean> {
  const row = await db.selectFrom('apps').select('archived_at').where('id', '=', id).executeTakeFirst();
  return row?.archived_at !== null;
}
