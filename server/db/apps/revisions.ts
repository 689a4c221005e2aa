import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { RevisionFields } from '../../domain/apps/appResponse';
import type { Database } from '../core/schema';
import type { OsImageRow } from '../catalog/osImagesTable';
import type { RevisionRow } from './revisionsTable';

type Db = Kysely<Database>;

type Flat = RevisionFields['revision'] & {
  cvm_count: number;
  restores: RevisionFields['restores'];
  secret_changes: RevisionFields['secret_changes'];
  user_public_id: string | null;
  username: string | null;
  avatar: string | null;
  cvm_public_id: string;
  cvm_name: string;
  vm_uuid: string;
};

/** Returns a page of an app's revisions, newest first. `app` is the number of a row known to be the team's. */
export async function listRevisions(
  db: Db,
  app: number,
  page: { page: number; page_size: number },
): Promise<{ revisions: RevisionFields[]; total: number }> {
  const chosen = sql`select * from revisions where app_id = ${app} order by number desc
    limit ${page.page_size} offset ${(page.page - 1) * page.page_size}`;
  const [found, count] = await Promise.all([
    select(chosen).execute(db),
    sql<{ total: number }>`select count(*) as total from revisions where app_id = ${app}`.execute(db),
  ]);
  return { revisions: found.rows.map(listed), total: count.rows[0]?.total ?? 0 };
}

export interface RevisionDetail {
  fields: RevisionFields;
  row: RevisionRow;
  /** Fields of its OS image, if the catalog knows it. */
  os: Pick<OsImageRow, 'os_image_hash'> | null;
}

/** Returns one revision of the app with its texts; null when the app has none with that ID. */
export async function findRevision(db: Db, app: number, public_id: string): Promise<RevisionDetail | null> {
  const row = await revisionRow(db, app, public_id);
  if (!row) return null;
  const { rows } = await select(sql`select * from revisions where id = ${row.id}`).execute(db);
  const [found] = rows;
  if (!found) return null;
  const os =
    row.os_image === null
      ? undefined
      : await db
          .selectFrom('os_images')
          .select('os_image_hash')
          .where('name', '=', row.os_image)
          .executeTakeFirst();
  return { fields: listed(found), row, os: os ?? null };
}

export async function revisionRow(db: Db, app: number, public_id: string): Promise<RevisionRow | null> {
  const row = await db
    .selectFrom('revisions')
    .selectAll()
    .where('app_id', '=', app)
    .where('public_id', '=', public_id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Updates of revision `r` that sealed new values, requested after the revision was created: the update that
 * created it seals values too. A rollout counts once; rolling it back does not count.
 */
const secretChanges = sql`coalesce((
    select jsonb_agg(to_jsonb(newest) - 'id' order by newest.id desc) from (
      select * from (
        select distinct on (coalesce(o.payload ->> 'rollout_id', o.correlation_id::text))
          o.id, o.finished_at as changed_at, o.correlation_id, o.payload ->> 'reason' as reason,
          (select to_jsonb(one) from (
            select u.public_id, u.username, u.avatar from users u where u.id = o.requested_by) one) as creator
        from cvms c
        join operations o on o.cvm_id = c.id
        left join rollouts on rollouts.public_id = o.payload ->> 'rollout_id'
        where c.app_id = r.app_id and o.type = 'update' and o.state = 'succeeded'
          and o.payload ? 'encrypted_env' and o.payload -> 'revision_id' = to_jsonb(r.id)
          and coalesce(rollouts.created_at, o.created_at) > r.created_at
          and (rollouts.id is null or rollouts.revision_id = r.id)
        order by coalesce(o.payload ->> 'rollout_id', o.correlation_id::text), o.id desc
      ) each_change order by id desc limit 20
    ) newest), '[]'::jsonb)`;

/** `chosen` selects rows of `revisions` with its own limit. */
const select = (chosen: RawBuilder<unknown>) => sql<Flat>`
  select r.public_id, r.number, r.compose_hash, r.created_at, r.operation_type, r.correlation_id, r.allowed_envs,
    r.os_image, r.reason, r.live_at,
    exists (select from approvals p where p.revision_id = r.id and p.ended_at is null and p.expires_at > now())
      as awaits_approval,
    -- An operation's ID is the revision's only if it was an update of one CVM.
    r.correlation_id is null and exists (select from approvals p where p.revision_id = r.id)
      and not exists (select from rollouts where rollouts.app_id = r.app_id and rollouts.revision_id = r.id)
      as given_up,
    (select count(*)::int from cvms where cvms.revision_id = r.id and cvms.deleted_at is null) as cvm_count,
    (select to_jsonb(one) from (select b.public_id, b.number from revisions b where b.id = r.restores_id) one) as restores,
    ${secretChanges} as secret_changes,
    u.public_id as user_public_id, u.username, u.avatar,
    c.public_id as cvm_public_id, c.name as cvm_name, c.vm_uuid
  from (${chosen}) r
  left join users u on u.id = r.created_by
  left join operations o on o.correlation_id = r.correlation_id
  join lateral (
    select public_id, name, vm_uuid from cvms where cvms.app_id = r.app_id
    order by (cvms.id = o.cvm_id) desc nulls last, cvms.id limit 1
  ) c on true
  order by r.number desc`;

function listed(row: Flat): RevisionFields {
  const {
    cvm_count,
    restores,
    secret_changes,
    user_public_id,
    username,
    avatar,
    cvm_public_id,
    cvm_name,
    vm_uuid,
    ...revision
  } = row;
  return {
    revision,
    cvm_count,
    restores,
    secret_changes,
    creator:
      user_public_id === null
        ? null
        : { public_id: user_public_id, username: username ?? '', avatar: avatar ?? '' },
    cvm: { public_id: cvm_public_id, name: cvm_name, vm_uuid },
  };
}

/** A revision to create; insertion assigns its number and ID. */
export type NewRevision = Pick<
  RevisionRow,
  | 'app_id'
  | 'app_compose'
  | 'compose_hash'
  | 'docker_compose_file'
  | 'pre_launch_script'
  | 'allowed_envs'
  | 'os_image'
  | 'operation_type'
  | 'reason'
  | 'created_by'
  | 'template_version_id'
> & { public_id: string; restores_id?: number };

/**
 * Inserts the app's next revision. Locks the app's row, because all its CVMs share one numbering; not FOR UPDATE, because
 * transactions that wrote events about the app hold it for their reference.
 */
export async function insertRevision(
  trx: Db,
  made: NewRevision,
): Promise<{ id: number; public_id: string; number: number }> {
  await trx.selectFrom('apps').select('id').where('id', '=', made.app_id).forNoKeyUpdate().execute();
  const last = await trx
    .selectFrom('revisions')
    .select('number')
    .where('app_id', '=', made.app_id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return trx
    .insertInto('revisions')
    .values({ ...made, number: (last?.number ?? 0) + 1 })
    .returning(['id', 'public_id', 'number'])
    .executeTakeFirstOrThrow();
}

/**
 * Returns the revision of a change that waits for this hash to be allowed. A repeated request gets the same
 * one.
 */
export async function waitingRevision(
  db: Db,
  wanted: Pick<RevisionRow, 'app_id' | 'compose_hash' | 'os_image'> & {
    restores_id: number | null;
  },
): Promise<RevisionRow | null> {
  const { rows } = await sql<RevisionRow>`
    select r.* from revisions r join approvals p on p.revision_id = r.id
    where r.app_id = ${wanted.app_id} and r.compose_hash = ${wanted.compose_hash}
      and r.os_image is not distinct from ${wanted.os_image}
      and r.restores_id is not distinct from ${wanted.restores_id}
      and r.live_at is null and p.ended_at is null and p.expires_at > now()
    order by r.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns the app's newest revision with this compose hash. */
export async function revisionOfHash(db: Db, app: number, compose_hash: string): Promise<RevisionRow | null> {
  const row = await db
    .selectFrom('revisions')
    .selectAll()
    .where('app_id', '=', app)
    .where('compose_hash', '=', compose_hash)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export const revisionById = (db: Db, id: number): Promise<RevisionRow> =>
  db.selectFrom('revisions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
