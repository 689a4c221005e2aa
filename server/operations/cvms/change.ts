import { sql } from 'kysely';
import { findCvm } from '../../db/cvmLookup';
import type { JoinedCvm } from '../../db/cvmRows';
import { beginOperation, liveOperation } from '../../db/operations';
import type { OperationPayload, OperationRow } from '../../db/schema';
import { transitions, type OperationType } from '../../domain/cvmStates';
import { Problem } from '../../domain/problem';
import { refuseBusy } from './busy';
import type { Context, Write } from '../types';
import { checkRollout } from '../shared/rolloutConflict';
import { teamOf } from '../shared/caller';
import { checkVersion } from './version';

export interface Change<T> {
  cvm_id: string;
  /** Whose CVM it is; the request's team when absent. */
  team_id?: number;
  type: OperationType;
  /** What the operation needs; runs under the CVM's lock, and may write rows that belong to the change. */
  payload?: (row: JoinedCvm, write: Write) => Promise<OperationPayload>;
  reply: (row: JoinedCvm, operation: OperationRow, write: Write) => T | Promise<T>;
}

/** What people edit from a version they read: these honour If-Match, and wait for the app's rollout. */
const EDITS: ReadonlySet<OperationType> = new Set(['update', 'resize']);

/**
 * Every change to a CVM: find and lock it, check that it may change now, write operation, status, event, audit row and
 * job in one transaction, answer at once. A worker does the rest.
 *
 * An `update` or `resize` may answer 412: its operation in the document takes If-Match and names ERR-00-020.
 */
export async function changeCvm<T>(
  ctx: Context,
  { cvm_id, team_id = teamOf(ctx).id, type, payload, reply }: Change<T>,
): Promise<T> {
  return ctx.write(async (write) => {
    const { trx, audit } = write;
    const row = await findCvm(trx, team_id, cvm_id, { lock: true });
    await checkState(trx, row, type);
    if (EDITS.has(type)) {
      await checkRollout(trx, row.app.id, `“${row.cvm.name}”`);
      await checkVersion(ctx, write, row);
    }
    const extra = (await payload?.(row, write)) ?? {};
    const operation = await beginOperation(trx, {
      cvm: row.cvm,
      type,
      payload: extra,
      user_id: ctx.caller.user?.id ?? null,
    });
    if (extra.revision_id !== undefined) await claimRevision(trx, extra.revision_id, operation);
    await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
    await audit({
      action: `cvm.${type}`,
      target_kind: 'cvm',
      target_id: row.cvm.public_id,
      team_id,
      before: { status: row.cvm.status },
      after: {
        correlation_id: operation.correlation_id,
        ...(extra.reason === undefined ? {} : { reason: extra.reason }),
      },
    });
    const now: JoinedCvm = {
      ...row,
      cvm: { ...row.cvm, status: transitions[type].during },
      operation,
      latest_operation: operation,
    };
    return reply(now, operation, write);
  });
}

/** The revision says which operation made it. */
export async function claimRevision(
  trx: Write['trx'],
  revision_id: number,
  { correlation_id }: OperationRow,
): Promise<void> {
  await trx
    .updateTable('revisions')
    .set({ correlation_id })
    .where('id', '=', revision_id)
    .where('correlation_id', 'is', null)
    // Made in this very transaction: a change of values alone keeps a revision that others made.
    .where('created_at', '=', sql<Date>`now()`)
    .execute();
}

async function checkState(trx: Write['trx'], row: JoinedCvm, type: OperationType): Promise<void> {
  const { cvm } = row;
  if (transitions[type].from.includes(cvm.status)) return;
  refuseBusy(cvm, row.operation ?? (await liveOperation(trx, cvm.id)));
  throw new Problem('WRONG_STATE', {
    message: `“${cvm.name}” is ${cvm.status}; a ${type} is possible when it is ${transitions[type].from.join(' or ')}.`,
    details: [{ field: 'status', value: cvm.status }],
  });
}
