import { sql, type Kysely } from 'kysely';
import type { RevisionFields } from '../domain/wire/app';
import type { Database } from './schema';

interface Flat {
  public_id: string;
  number: number;
  compose_hash: string;
  created_at: Date;
  operation_type: string;
  correlation_id: string | null;
  allowed_envs: string[];
  os_image: string | null;
  reason: string | null;
  live: boolean;
  newer: boolean;
  user_public_id: string | null;
  username: string | null;
  avatar: string | null;
  cvm_public_id: string;
  cvm_name: string;
  vm_uuid: string;
}

/** A page of one app's revisions, newest first. `app` is the row's number, already known to be the team's. */
export async function listRevisions(
  db: Kysely<Database>,
  app: number,
  page: { page: number; page_size: number },
): Promise<{ revisions: RevisionFields[]; total: number }> {
  const [found, count] = await Promise.all([
    sql<Flat>`
      with running as materialized (
        select cvms.revision_id, revisions.number from cvms join revisions on revisions.id = cvms.revision_id
        where cvms.app_id = ${app} and cvms.deleted_at is null
      )
      select r.public_id, r.number, r.compose_hash, r.created_at, r.operation_type, r.correlation_id, r.allowed_envs,
        r.os_image, r.reason,
        exists (select 1 from running where running.revision_id = r.id) as live,
        coalesce(r.number > (select max(running.number) from running), false) as newer,
        u.public_id as user_public_id, u.username, u.avatar,
        c.public_id as cvm_public_id, c.name as cvm_name, c.vm_uuid
      from revisions r
      left join users u on u.id = r.created_by
      left join operations o on o.correlation_id = r.correlation_id
      join lateral (
        select public_id, name, vm_uuid from cvms where cvms.app_id = r.app_id
        order by (cvms.id = o.cvm_id) desc nulls last, cvms.id limit 1
      ) c on true
      where r.app_id = ${app}
      order by r.number desc
      limit ${page.page_size} offset ${(page.page - 1) * page.page_size}`.execute(db),
    sql<{ total: number }>`select count(*) as total from revisions where app_id = ${app}`.execute(db),
  ]);
  return { revisions: found.rows.map(listed), total: count.rows[0]?.total ?? 0 };
}

function listed(row: Flat): RevisionFields {
  const { live, newer, user_public_id, username, avatar, cvm_public_id, cvm_name, vm_uuid, ...revision } =
    row;
  return {
    revision,
    live,
    newer,
    creator:
      user_public_id === null
        ? null
        : { public_id: user_public_id, username: username ?? '', avatar: avatar ?? '' },
    cvm: { public_id: cvm_public_id, name: cvm_name, vm_uuid },
  };
}
