import { sql, type Kysely } from 'kysely';
import {
  composeFacts,
  knownComposeFacts,
  loadComposeFacts,
  type ComposeFacts,
} from '../../domain/apps/composeFacts';
import { prepared } from '../core/client';
import { briefCvm, selectCvms, type BriefCvm } from './cvmRows';
import type { CvmRow } from './cvmsTable';
import type { Database } from '../core/schema';
import type { OperationRow } from '../activity/operationsTable';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';

type Db = Kysely<Database>;

export interface CvmFilter {
  team_id: number;
  teepod_id?: number | undefined;
  /** `usr_…`, or the number older clients use. */
  user_id?: string | undefined;
  has_gpus?: boolean | undefined;
  /** Any of these. */
  instance_types?: readonly string[] | undefined;
}

/** Returns one page, newest first, and the total. */
export async function listCvms(
  db: Db,
  filter: CvmFilter,
  page: { page: number; page_size: number },
): Promise<{ rows: BriefCvm[]; total: number }> {
  const where = sql`cvms.team_id = ${filter.team_id} and cvms.deleted_at is null
    ${filter.teepod_id === undefined ? sql`` : sql`and cvms.teepod_id = ${filter.teepod_id}`}
    ${filter.has_gpus === undefined ? sql`` : sql`and (cvms.gpus > 0) = ${filter.has_gpus}`}
    ${filter.instance_types === undefined ? sql`` : sql`and cvms.instance_type = any(${[...filter.instance_types]}::text[])`}
    ${
      filter.user_id === undefined
        ? sql``
        : sql`and cvms.created_by in (select id from users where public_id = ${filter.user_id} or id::text = ${filter.user_id})`
    }`;
  const [found, count] = await Promise.all([
    sql<Record<string, unknown>>`
      ${selectCvms(
        'brief',
        sql`select * from cvms where ${where} order by cvms.created_at desc, cvms.id desc
          limit ${page.page_size} offset ${(page.page - 1) * page.page_size}`,
      )}
      order by cvm.created_at desc, cvm.id desc`.execute(db),
    sql<{ total: number }>`select count(*) as total from cvms where ${where}`.execute(db),
  ]);
  return { rows: found.rows.map(briefCvm), total: count.rows[0]?.total ?? 0 };
}

/** Returns the live CVMs of each app, newest first, at most `each` per app, in one query. */
export async function cvmsOfApps(
  db: Db,
  team_id: number,
  app_ids: readonly number[],
  each: number,
): Promise<Map<number, BriefCvm[]>> {
  const byApp = new Map<number, BriefCvm[]>(app_ids.map((id) => [id, []]));
  if (app_ids.length === 0) return byApp;
  const { rows } = await sql<Record<string, unknown>>`${prepared}
    ${selectCvms(
      'brief',
      sql`select newest.* from unnest(${[...app_ids]}::bigint[]) as asked (app_id)
        cross join lateral (
          select * from cvms
          where cvms.app_id = asked.app_id and cvms.team_id = ${team_id} and cvms.deleted_at is null
          order by cvms.id desc limit ${each}
        ) newest`,
    )}
    order by cvm.id desc`.execute(db);
  for (const row of rows.map(briefCvm)) byApp.get(row.app.id)?.push(row);
  return byApp;
}

/**
 * Returns the wire facts of each row's compose. Revisions seen before cost nothing; the texts of others are
 * read in one query, because lists do not carry them.
 */
export async function factsOf(
  db: Db,
  rows: readonly BriefCvm[],
  analyze: Parameters<typeof loadComposeFacts>[1],
): Promise<(row: BriefCvm) => ComposeFacts> {
  const found = new Map<string, ComposeFacts>();
  const unknown = new Map<string, number>();
  for (const { revision } of rows) {
    const known = found.get(revision.compose_hash) ?? knownComposeFacts(revision.compose_hash);
    if (known) found.set(revision.compose_hash, known);
    else unknown.set(revision.compose_hash, revision.id);
  }
  if (unknown.size > 0) {
    const revisions = await db
      .selectFrom('revisions')
      .select(['compose_hash', 'app_compose'])
      .where('id', 'in', [...unknown.values()])
      .execute();
    await loadComposeFacts(revisions, analyze);
    for (const revision of revisions) found.set(revision.compose_hash, composeFacts(revision));
  }
  return ({ revision }) => {
    const facts = found.get(revision.compose_hash);
    if (!facts) throw new Error(`revision ${revision.id} has no compose`);
    return facts;
  };
}

export interface CvmStatus {
  cvm: Pick<
    CvmRow,
    | 'id'
    | 'public_id'
    | 'vm_uuid'
    | 'name'
    | 'status'
    | 'status_reason'
    | 'instance_id'
    | 'started_at'
    | 'boot_progress'
    | 'boot_error'
    | 'deleted_at'
  >;
  operation:
    | (Pick<OperationRow, 'type' | 'correlation_id' | 'started_at' | 'created_at'> & { step: string | null })
    | null;
}

/**
 * Returns the status of the team's CVMs with these UUIDs (lowercase, with dashes); omits those deleted or of
 * another team.
 */
export async function cvmStatuses(
  db: Db,
  team_id: number,
  vm_uuids: readonly string[],
): Promise<CvmStatus[]> {
  if (vm_uuids.length === 0) return [];
  const rows = await statusQuery(db)
    .where('cvms.team_id', '=', team_id)
    .where('cvms.vm_uuid', 'in', [...vm_uuids])
    .where('cvms.deleted_at', 'is', null)
    .execute();
  return rows.map(statusOf);
}

/** Returns one CVM's status by number, deleted or not: a watcher must see the deletion. */
export async function cvmStatus(db: Db, team_id: number, id: number): Promise<CvmStatus | null> {
  const row = await statusQuery(db)
    .where('cvms.team_id', '=', team_id)
    .where('cvms.id', '=', id)
    .executeTakeFirst();
  return row ? statusOf(row) : null;
}

const statusQuery = (db: Db) =>
  db
    .selectFrom('cvms')
    .leftJoin('operations as o', (join) =>
      join.onRef('o.cvm_id', '=', 'cvms.id').on('o.state', 'in', LIVE_OPERATION),
    )
    .select([
      'cvms.id',
      'cvms.public_id',
      'cvms.vm_uuid',
      'cvms.name',
      'cvms.status',
      'cvms.status_reason',
      'cvms.instance_id',
      'cvms.started_at',
      'cvms.boot_progress',
      'cvms.boot_error',
      'cvms.deleted_at',
      'o.type as operation_type',
      'o.correlation_id',
      'o.started_at as operation_started_at',
      'o.created_at as operation_created_at',
      sql<string | null>`o.steps -> -1 ->> 'name'`.as('operation_step'),
    ]);

type StatusRow = Awaited<ReturnType<ReturnType<typeof statusQuery>['execute']>>[number];

function statusOf(row: StatusRow): CvmStatus {
  const {
    operation_type,
    operation_step,
    correlation_id,
    operation_started_at,
    operation_created_at,
    ...cvm
  } = row;
  return {
    cvm,
    operation:
      operation_type && correlation_id && operation_created_at
        ? {
            type: operation_type,
            correlation_id,
            step: operation_step,
            started_at: operation_started_at,
            created_at: operation_created_at,
          }
        : null,
  };
}

/** Returns the CVM and its host for a log request. Null when it is deleted or no longer the team's. */
export async function cvmForLogs(db: Db, key: { id: number; team_id: number }): Promise<LogTarget | null> {
  const row = await db
    .selectFrom('cvms')
    .innerJoin('apps', 'apps.id', 'cvms.app_id')
    .innerJoin('teepods', 'teepods.id', 'cvms.teepod_id')
    .select([
      'cvms.vm_uuid',
      'cvms.public_id',
      'cvms.name as cvm_name',
      'cvms.host_vm_id',
      'cvms.instance_id',
      'cvms.status',
      'cvms.public_logs',
      'apps.app_id',
      'teepods.id',
      'teepods.name',
      'teepods.url',
      'teepods.kind',
      'teepods.credential_kind',
      'teepods.sealed_credential',
    ])
    .where('cvms.id', '=', key.id)
    .where('cvms.team_id', '=', key.team_id)
    .where('cvms.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const { vm_uuid, public_id, cvm_name, host_vm_id, instance_id, status, public_logs, app_id, ...teepod } =
    row;
  return { vm_uuid, public_id, cvm_name, host_vm_id, instance_id, status, public_logs, app_id, teepod };
}

export interface LogTarget {
  vm_uuid: string;
  public_id: string;
  /** The CVM's name. */
  cvm_name: string;
  host_vm_id: string | null;
  instance_id: string | null;
  status: CvmRow['status'];
  public_logs: boolean;
  app_id: string;
  teepod: {
    id: number;
    name: string;
    url: string;
    kind: 'dstack_vmm' | 'local';
    credential_kind: 'none' | 'bearer' | 'basic';
    sealed_credential: string | null;
  };
}
