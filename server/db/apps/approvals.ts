import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { CvmRefFields, RevisionRefFields, UserFields } from '../../domain/core/references';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import type { ApprovalKind, ApprovalPayload, ApprovalRow } from './approvalsTable';
import { toJson } from '../core/json';

const DAYS = 14;

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

export type NewApproval = Pick<
  ApprovalRow,
  | 'team_id'
  | 'app_id'
  | 'cvm_id'
  | 'kind'
  | 'revision_id'
  | 'base_revision_id'
  | 'compose_hash'
  | 'device_ids'
  | 'requested_by'
> & { payload: ApprovalPayload };

/** A change that another one of its kind replaced. */
export interface ReplacedApproval {
  public_id: string;
  revision_id: number;
  compose_hash: string;
  device_ids: string[];
}

/**
 * Stores a change and ends the one of the same kind that it supersedes. The returned token can't be read again.
 */
export async function insertApproval(
  trx: Tx,
  approval: NewApproval,
): Promise<{ public_id: string; token: string; expires_at: Date; replaced: ReplacedApproval[] }> {
  const replaced = await trx
    .updateTable('approvals')
    .set({ ended_at: new Date() })
    .where('cvm_id', '=', approval.cvm_id)
    .where('kind', '=', approval.kind)
    .where('ended_at', 'is', null)
    .returning(['public_id', 'revision_id', 'compose_hash', 'device_ids', 'expires_at'])
    .execute();
  const now = new Date();
  const token = randomUUID();
  const row = {
    public_id: publicId('apv'),
    token_hash: hashOf(token),
    expires_at: new Date(Date.now() + DAYS * 86_400_000),
  };
  await trx
    .insertInto('approvals')
    .values({ ...approval, ...row, payload: toJson(approval.payload) })
    .execute();
  return { ...row, token, replaced: replaced.filter(({ expires_at }) => expires_at > now) };
}

/** Returns the approval that a commit token is for, ended or not. */
export const approvalByToken = (db: Db, token: string): Promise<ApprovalRow | undefined> =>
  db.selectFrom('approvals').selectAll().where('token_hash', '=', hashOf(token)).executeTakeFirst();

export const isTokenOf = ({ token_hash }: Pick<ApprovalRow, 'token_hash'>, token: string): boolean =>
  token_hash === hashOf(token);

/** Returns the operation committed from an approval; null before the commit. */
export async function commitOf(db: Db, id: number): Promise<string | null> {
  const { correlation_id } = await db
    .selectFrom('approvals')
    .select('correlation_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return correlation_id;
}

/** Returns a CVM's change that waits for this hash. */
export const waitingForHash = (
  db: Db,
  cvm_id: number,
  kind: ApprovalKind,
  compose_hash: string,
): Promise<ApprovalRow | undefined> =>
  alive(db)
    .where('cvm_id', '=', cvm_id)
    .where('kind', '=', kind)
    .where('compose_hash', '=', compose_hash)
    .executeTakeFirst();

export interface ShownApproval {
  approval: Pick<
    ApprovalRow,
    'public_id' | 'kind' | 'compose_hash' | 'device_ids' | 'created_at' | 'expires_at'
  >;
  revision: RevisionRefFields;
  base_revision: RevisionRefFields;
  cvm: Omit<CvmRefFields, 'app_id'>;
  os_image_hash: string | null;
  creator: UserFields | null;
  /** What changed on the CVM after the update was prepared; null if nothing. */
  overtaken_by: 'revision' | 'secrets' | null;
}

/**
 * Whether the secrets of the approval's CVM, or for a rollout of any of the app's CVMs, changed after `p` was
 * prepared.
 */
const SECRETS_CHANGED = sql<boolean>`exists (
  select from operations o join cvms oc on oc.id = o.cvm_id
  where oc.app_id = p.app_id and (p.kind = 'rollout' or oc.id = p.cvm_id)
    and o.type = 'update' and o.state = 'succeeded' and o.payload ? 'encrypted_env' and o.created_at > p.created_at)`;

/** Returns an app's pending changes, newest first. */
export async function waitingOfApp(db: Db, app_id: number, limit: number): Promise<ShownApproval[]> {
  const { rows } = await sql<ShownApproval>`
    select to_jsonb(p) - 'payload' as approval,
      jsonb_build_object('public_id', r.public_id, 'number', r.number) as revision,
      jsonb_build_object('public_id', b.public_id, 'number', b.number) as base_revision,
      jsonb_build_object('public_id', c.public_id, 'name', c.name, 'vm_uuid', c.vm_uuid) as cvm,
      (select os_image_hash from os_images i where i.name = r.os_image) as os_image_hash,
      (select to_jsonb(one) from (
        select u.public_id, u.username, u.avatar from users u where u.id = p.requested_by) one) as creator,
      case
        when p.base_revision_id is distinct from (
          case when p.kind = 'rollout' then (
            -- As beginRollout chooses it: the newest that one of the rollout's CVMs runs.
            select x.revision_id from cvms x join revisions xr on xr.id = x.revision_id
            where x.app_id = p.app_id and x.deleted_at is null and x.desired <> 'deleted'
              and (jsonb_typeof(p.payload #> '{rollout,vm_uuids}') is distinct from 'array'
                or (p.payload #> '{rollout,vm_uuids}') ? x.vm_uuid::text)
            order by xr.number desc limit 1)
          else c.revision_id end) then 'revision'
        when (p.payload -> 'operation') ? 'encrypted_env' and ${SECRETS_CHANGED} then 'secrets'
      end as overtaken_by
    from (select id, app_id, public_id, kind, payload, compose_hash, device_ids, created_at, expires_at, revision_id,
            base_revision_id, cvm_id, requested_by
          from approvals where app_id = ${app_id} and ended_at is null and expires_at > now()
          order by id desc limit ${limit}) p
    join revisions r on r.id = p.revision_id join revisions b on b.id = p.base_revision_id
    join cvms c on c.id = p.cvm_id and c.deleted_at is null
    order by p.id desc`.execute(db);
  return rows.map((row) => ({
    ...row,
    approval: {
      ...row.approval,
      created_at: new Date(row.approval.created_at),
      expires_at: new Date(row.approval.expires_at),
    },
  }));
}

export const approvalOfApp = (db: Db, app_id: number, public_id: string): Promise<ApprovalRow | undefined> =>
  db
    .selectFrom('approvals')
    .selectAll()
    .where('app_id', '=', app_id)
    .where('public_id', '=', public_id)
    .executeTakeFirst();

const alive = (db: Db) =>
  db
    .selectFrom('approvals')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`);

export const isAlive = (row: ApprovalRow, now = new Date()): boolean =>
  row.ended_at === null && row.expires_at > now;

/** Ends an approval unless another request already has. */
export async function endApproval(trx: Tx, id: number): Promise<boolean> {
  const ended = await trx
    .updateTable('approvals')
    .set({ ended_at: new Date() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export async function secretsChangedSince(db: Db, { id }: Pick<ApprovalRow, 'id'>): Promise<boolean> {
  const { rows } = await sql<{
    changed: boolean;
  }>`select ${SECRETS_CHANGED} as changed from approvals p where p.id = ${id}`.execute(db);
  return rows[0]?.changed ?? false;
}

export const recordCommit = (trx: Tx, id: number, correlation_id: string): Promise<unknown> =>
  trx.updateTable('approvals').set({ correlation_id }).where('id', '=', id).execute();

/** Ends approvals for a hash that the CVM reached without a commit. */
export async function endWaitingForHash(
  trx: Tx,
  cvm_id: number,
  kind: ApprovalKind,
  compose_hash: string,
  correlation_id: string | null,
): Promise<void> {
  await trx
    .updateTable('approvals')
    .set({ ended_at: new Date(), correlation_id })
    .where('cvm_id', '=', cvm_id)
    .where('kind', '=', kind)
    .where('compose_hash', '=', compose_hash)
    .where('ended_at', 'is', null)
    .execute();
}
