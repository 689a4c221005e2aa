import {
  isUnconfirmed,
  reasonText,
  updatedText,
  type FailedReason,
  type SkippedReason,
  type UnconfirmedReason,
} from '../../../console/lib/apps/rolloutReasons';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { problemCodes, type ProblemName } from '../../../generated/api/permissions.gen';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Tx } from '../../db/core/client';
import { NO_LEASE } from '../../db/core/leases';
import { addRolloutEvent, rolloutLeases, type WorkItem } from '../../db/apps/rollouts';
import type { RolloutItemState } from '../../db/apps/rolloutItemsTable';
import type { RolloutRow } from '../../db/apps/rolloutsTable';
import type { RolloutWorld } from './rollouts';

/**
 * Runs one transaction of a rollout under its lease, with the current row; skips it when another worker
 * holds the lease.
 */
export async function turn(
  { db, owner }: RolloutWorld,
  id: number,
  work: (trx: Tx, rollout: RolloutRow) => Promise<boolean>,
): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    const rollout = await rolloutLeases.lock(trx, id, owner);
    return rollout ? work(trx, rollout) : false;
  });
}

export const problem = (name: ProblemName, error_message: string) => ({
  error_code: problemCodes[name],
  error_message,
});

/** Time for one CVM's rollback: an update, plus its own rollback should that fail. */
const REVERT_SECONDS = 1_500;

export async function number(trx: Tx, revision_id: number): Promise<number> {
  const row = await trx
    .selectFrom('revisions')
    .select('number')
    .where('id', '=', revision_id)
    .executeTakeFirstOrThrow();
  return row.number;
}

/** How one CVM ends. `detail`: what its host, guest, evidence or budget says about the reason. */
export type Outcome =
  /** `reason`: why it wasn't observed healthy; null if it was. */
  | { state: 'updated'; reason: UnconfirmedReason | null }
  | { state: 'skipped'; reason: SkippedReason; detail?: string | null }
  | { state: 'failed'; reason: FailedReason; detail?: string | null }
  /** Keeps why it failed or wasn't observed healthy before. */
  | { state: 'reverted' };

/** Settles one CVM, healthy or not, and notifies the pages. */
export async function settleItem(
  trx: Tx,
  rollout: RolloutRow,
  one: WorkItem,
  outcome: Outcome,
): Promise<void> {
  const { item, cvm } = one;
  const { state } = outcome;
  await trx
    .updateTable('rollout_items')
    .set({ state, ...(outcome.state === 'reverted' ? {} : textOf(outcome)), finished_at: new Date() })
    .where('rollout_id', '=', rollout.id)
    .where('position', '=', item.position)
    .execute();
  if (state === 'skipped') return;
  await addRolloutEvent(trx, rollout, {
    kind: `rollout.cvm_${state}`,
    severity: state === 'failed' ? 'error' : 'info',
    message: await eventText(trx, rollout, one, outcome),
    cvm_id: cvm.id,
  });
}

function textOf(outcome: Exclude<Outcome, { state: 'reverted' }>) {
  const { reason } = outcome;
  const detail = 'detail' in outcome && outcome.detail ? cutWhole(outcome.detail, 2000) : null;
  return { reason, detail, message: reason && cutWhole(reasonText(reason, detail), 2000) };
}

async function eventText(
  trx: Tx,
  rollout: RolloutRow,
  { item, cvm, revert }: WorkItem,
  outcome: Outcome,
): Promise<string> {
  if (outcome.state === 'updated')
    return updatedText(cvm.name, await number(trx, rollout.revision_id), outcome.reason);
  if (outcome.state === 'reverted')
    return `“${cvm.name}” ${revert?.target === 'stopped' ? 'has' : 'runs'} revision ${await number(trx, item.previous_revision_id)} again`;
  return `“${cvm.name}”: ${textOf(outcome).message}`;
}

/**
 * Stops updating further CVMs and rolls back the updated ones, one at a time. `error` is null when a user
 * requested the rollback.
 */
export async function goBackBecause(
  trx: Tx,
  rollout: RolloutRow,
  error: { error_code: string; error_message: string } | null,
): Promise<void> {
  const { count } = await trx
    .selectFrom('rollout_items')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('rollout_id', '=', rollout.id)
    .where('operation_id', 'is not', null)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('rollouts')
    .set({
      state: 'reverting',
      ...error,
      deadline_at: new Date(Date.now() + (Number(count) + 1) * REVERT_SECONDS * 1000),
    })
    .where('id', '=', rollout.id)
    .execute();
  await skipWaiting(trx, rollout, error ? 'rollout_failed' : 'rollout_canceled');
  await addRolloutEvent(trx, rollout, {
    kind: 'rollout.reverting',
    severity: error ? 'error' : 'warning',
    message: error
      ? `Rollout of revision ${await number(trx, rollout.revision_id)} failed. ${error.error_message} Updated CVMs are rolled back.`
      : `Rollout of revision ${await number(trx, rollout.revision_id)} is being rolled back`,
  });
}

async function skipWaiting(trx: Tx, rollout: RolloutRow, reason: SkippedReason): Promise<void> {
  await trx
    .updateTable('rollout_items')
    .set({ state: 'skipped', ...textOf({ state: 'skipped', reason }), finished_at: new Date() })
    .where('rollout_id', '=', rollout.id)
    .where('state', '=', 'waiting')
    .execute();
}

const SAID = { succeeded: 'finished', failed: 'failed', cancelled: 'was canceled' };

/** Ends the rollout. The final event says how many CVMs it updated, and which of those weren't seen healthy. */
export async function endRollout(
  trx: Tx,
  rollout: RolloutRow,
  state: 'succeeded' | 'failed' | 'cancelled',
): Promise<void> {
  await skipWaiting(trx, rollout, 'rollout_canceled');
  const items = await trx
    .selectFrom('rollout_items')
    .select(['state', 'reason', 'message'])
    .where('rollout_id', '=', rollout.id)
    .execute();
  const of = (name: RolloutItemState) => items.filter((item) => item.state === name).length;
  const unconfirmed = items.filter(isUnconfirmed).length;
  const confirmed = of('updated') - unconfirmed;
  const now = [
    confirmed > 0 ? `${confirmed} updated` : '',
    unconfirmed > 0 ? `${unconfirmed} updated but not confirmed healthy` : '',
    of('reverted') > 0 ? `${of('reverted')} rolled back` : '',
    of('failed') > 0 ? `${of('failed')} failed` : '',
    of('skipped') > 0 ? `${of('skipped')} skipped` : '',
  ].filter((text) => text !== '');
  const summary = now.length > 0 ? ` (${now.join(', ')})` : '';
  const error_message =
    state === 'failed' ? cutWhole(`${rollout.error_message ?? ''}${summary}`, 2000) : null;
  await trx
    .updateTable('rollouts')
    .set({
      state,
      finished_at: new Date(),
      ...NO_LEASE,
      // The ciphertext is no longer needed: the CVMs have their own.
      payload: '{}',
      ...(error_message === null ? {} : { error_message }),
    })
    .where('id', '=', rollout.id)
    .execute();
  await trx
    .updateTable('rollout_items')
    .set({ previous_encrypted_env: null })
    .where('rollout_id', '=', rollout.id)
    .execute();
  const revision = await number(trx, rollout.revision_id);
  await addRolloutEvent(trx, rollout, {
    kind: `rollout.${state}`,
    severity: state === 'failed' ? 'error' : state === 'cancelled' ? 'warning' : 'info',
    message: `Rollout of revision ${revision} ${SAID[state]}${error_message ? `: ${error_message}` : summary}`,
  });
  await appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id: rollout.team_id,
      action: `rollout.${state}`,
      target_kind: 'rollout',
      target_id: rollout.public_id,
      after: { revision, ...(error_message === null ? {} : { error: error_message }) },
    },
  ]);
}
