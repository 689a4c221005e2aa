import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import type { ApprovalKind, ApprovalPayload, ApprovalRow } from './approvalsTable';

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

/** Stores a change and ends the one of the same kind that it supersedes. Only the returned token can't be read again. */
export async function insertApproval(
  trx: Tx,
  approval: NewApproval,
): Promise<{ public_id: string; token: string; expires_at: Date }> {
  await trx
    .updateTable('approvals')
    .set({ ended_at: new Date() })
    .where('cvm_id', '=', approval.cvm_id)
    .where('kind', '=', approval.kind)
    .where('ended_at', 'is', null)
    .execute();
  const token = randomUUID();
  const row = {
    public_id: publicId('apv'),
    token_hash: hashOf(token),
    expires_at: new Date(Date.now() + DAYS * 86_400_000),
  };
  await trx
    .insertInto('approvals')
    .values({ ...approval, ...row, payload: JSON.stringify(approval.payload) })
    .execute();
  return { ...row, token };
}

/** Returns the approval that a commit token is for, ended or not. */
export const approvalByToken = (db: Db, token: string): Promise<ApprovalRow | undefined> =>
  db.selectFrom('approvals').selectAll().where('token_hash', '=', hashOf(token)).executeTakeFirst();

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

export const recordCommit = (trx: Tx, id: number, correlation_id: string): Promise<unknown> =>
  trx.updateTable('approvals').set({ correlation_id }).where('id', '=', id).execute();

/** Ends what waits for a hash that a change of the CVM has brought about without a commit. */
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
