import { problemCodes } from '../../../generated/api/permissions.gen';
import type { Tx } from '../../db/core/client';
import { beginOperation, liveOperation } from '../../db/activity/operations';
import { fundsOf } from '../../db/billing/funds';
import { insertHold, lockFunds } from '../../db/billing/holds';
import { addRolloutEvent, workItems, type WorkItem } from '../../db/apps/rollouts';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { OperationPayload, OperationRow } from '../../db/activity/operationsTable';
import type { RolloutRow } from '../../db/apps/rolloutsTable';
import { budgetName } from '../../domain/billing/budget';
import { availableFunds } from '../../domain/billing/funds';
import { rateToStart } from '../../domain/billing/pricing';
import { outcome } from '../../domain/cvms/cvmStates';
import { parseAppCompose } from '../../domain/apps/composeFacts';
import { findRunStop } from '../billing/keepStopped';
import { checkItem } from './rolloutCheck';
import { endRollout, goBackBecause, number, problem, settleItem, turn, type Outcome } from './rolloutRows';
import type { RolloutWorld } from './rollouts';
import { isLive, isSettled } from '../../../console/lib/cvms/allowedActions';
import { reasonText, type SkippedReason } from '../../../console/lib/apps/rolloutReasons';
import { counted } from '../../../console/lib/texts/count';

/** Advances a rollout by one step. @returns whether another step may follow immediately */
export async function advance(world: RolloutWorld, id: number): Promise<boolean> {
  const items = await workItems(world.db, id);
  const active = items.find(({ item }) => ['updating', 'checking', 'reverting'].includes(item.state));
  if (active?.item.state === 'checking') return checkItem(world, id, active);
  return turn(world, id, async (trx, rollout) => {
    if (active?.item.state === 'updating') return followUpdate(trx, rollout, active);
    if (active?.item.state === 'reverting') return followRevert(trx, rollout, active);
    if (rollout.state === 'queued') return start(trx, rollout, items.length);
    return rollout.state === 'running'
      ? updateNext(world, trx, rollout, items)
      : revertNext(world, trx, rollout, items);
  });
}

async function start(trx: Tx, rollout: RolloutRow, total: number): Promise<boolean> {
  await trx
    .updateTable('rollouts')
    .set({ state: 'running', started_at: new Date() })
    .where('id', '=', rollout.id)
    .execute();
  await addRolloutEvent(trx, rollout, {
    kind: 'rollout.started',
    message: `Rollout of revision ${await number(trx, rollout.revision_id)} to ${counted(total, ['CVM', 'CVMs'])} started`,
  });
  return true;
}

const ended = (operation: OperationRow | null): operation is OperationRow =>
  operation !== null && !isLive(operation.state);

const isGone = (cvm: CvmRow) => cvm.deleted_at !== null || cvm.desired === 'deleted';

async function followUpdate(trx: Tx, rollout: RolloutRow, one: WorkItem): Promise<boolean> {
  const { update, cvm } = one;
  if (!ended(update)) return false;
  if (update.state === 'succeeded') {
    if (update.target === 'stopped')
      await settleItem(trx, rollout, one, { state: 'updated', reason: 'starts_later' });
    else
      await trx
        .updateTable('rollout_items')
        .set({
          state: 'checking',
          message: null,
          healthy_since: null,
          check_until: new Date(Date.now() + rollout.health_timeout_seconds * 1000),
        })
        .where('rollout_id', '=', rollout.id)
        .where('position', '=', one.item.position)
        .execute();
    return true;
  }
  if (isGone(cvm)) {
    await settleItem(trx, rollout, one, { state: 'skipped', reason: 'deleted' });
    return true;
  }
  const reason = update.state === 'cancelled' ? 'update_canceled' : 'update_failed';
  await settleItem(trx, rollout, one, { state: 'failed', reason, detail: update.error_message });
  await goBackBecause(trx, rollout, {
    error_code: update.error_code ?? problemCodes.HOST_REFUSED,
    error_message: `“${cvm.name}”: ${update.error_message ?? reasonText(reason)}`,
  });
  return true;
}

async function followRevert(trx: Tx, rollout: RolloutRow, one: WorkItem): Promise<boolean> {
  const { revert, cvm } = one;
  if (!ended(revert)) return false;
  const outcome: Outcome =
    revert.state === 'succeeded'
      ? { state: 'reverted' }
      : isGone(cvm)
        ? { state: 'skipped', reason: 'deleted' }
        : { state: 'failed', reason: 'rollback_failed', detail: revert.error_message };
  await settleItem(trx, rollout, one, outcome);
  return true;
}

/** Starts the next CVM's update, or ends a rollout that is done, canceled or out of time. */
async function updateNext(
  world: RolloutWorld,
  trx: Tx,
  rollout: RolloutRow,
  items: readonly WorkItem[],
): Promise<boolean> {
  const next = items.find(({ item }) => item.state === 'waiting');
  const updated = items.filter(({ item }) => item.state === 'updated');
  if (rollout.cancel_mode === 'revert' && updated.length > 0) {
    await goBackBecause(trx, rollout, null);
    return true;
  }
  if (rollout.cancel_mode !== null && (next || updated.length === 0)) {
    await endRollout(trx, rollout, 'cancelled');
    return false;
  }
  if (!next) {
    await endRollout(trx, rollout, updated.length > 0 ? 'succeeded' : 'cancelled');
    return false;
  }
  if (rollout.deadline_at < new Date()) {
    await goBackBecause(
      trx,
      rollout,
      problem('DEADLINE_PASSED', `“${next.cvm.name}” wasn’t reached in time.`),
    );
    return true;
  }
  const { revision_id, payload } = rollout;
  const { os_image, ...rest } = payload;
  return begin(world, trx, rollout, next, 'updating', (cvm) => ({
    ...rest,
    ...(os_image !== undefined && os_image !== cvm.os_image ? { os_image } : {}),
    ...(rollout.reason ? { reason: rollout.reason } : {}),
    revision_id,
  }));
}

/** Rolls back in reverse order, last CVM first, and only CVMs on the new revision. */
async function revertNext(
  world: RolloutWorld,
  trx: Tx,
  rollout: RolloutRow,
  items: readonly WorkItem[],
): Promise<boolean> {
  // A cancellation with `keep` keeps the healthy CVMs; only failed ones are rolled back.
  const states = rollout.cancel_mode === 'keep' ? ['failed'] : ['failed', 'updated'];
  const next = items.findLast(
    ({ item, update, revert }) =>
      states.includes(item.state) && update?.state === 'succeeded' && revert === null,
  );
  if (!next || rollout.deadline_at < new Date()) {
    await endRollout(trx, rollout, rollout.error_code === null ? 'cancelled' : 'failed');
    return false;
  }
  const { item } = next;
  const before = await trx
    .selectFrom('revisions')
    .select(['number', 'app_compose'])
    .where('id', '=', item.previous_revision_id)
    .executeTakeFirstOrThrow();
  const { public_logs, public_sysinfo, public_tcbinfo } = parseAppCompose(before.app_compose);
  return begin(world, trx, rollout, next, 'reverting', (cvm) => ({
    revision_id: item.previous_revision_id,
    rolls_back: true,
    reason: `Rolled back to revision ${before.number}: the rollout ${rollout.error_code === null ? 'was canceled' : 'failed'}`,
    ...(item.previous_os_image === cvm.os_image ? {} : { os_image: item.previous_os_image }),
    ...(item.previous_encrypted_env === null ? {} : { encrypted_env: item.previous_encrypted_env }),
    public_logs: public_logs ?? true,
    public_sysinfo: public_sysinfo ?? true,
    public_tcbinfo: public_tcbinfo ?? true,
  }));
}

/**
 * Returns why a CVM can't run, or can't be started if it is stopped: an exhausted budget, a debt that stops it,
 * or too little money for its first hour.
 */
async function runRefusal(
  trx: Tx,
  cvm: CvmRow,
  fundsRequired: boolean,
): Promise<{ reason: SkippedReason; detail?: string } | null> {
  const { team_id } = cvm;
  const starts = cvm.status !== 'running';
  if (starts && fundsRequired) await lockFunds(trx, team_id);
  const stop = await findRunStop(trx, cvm, { billingEnforced: fundsRequired, now: new Date() });
  if (stop?.budget) return { reason: 'budget_used_up', detail: `The ${budgetName(stop.budget)} is used up.` };
  if (stop) return { reason: 'payment_due' };
  if (!starts || !fundsRequired || availableFunds(await fundsOf(trx, team_id)) >= rateToStart(cvm))
    return null;
  return { reason: 'funds_too_low' };
}

/** Updates one CVM through a normal operation. Returns false while the CVM is busy. */
async function begin(
  { jobs, fundsRequired }: RolloutWorld,
  trx: Tx,
  rollout: RolloutRow,
  one: WorkItem,
  state: 'updating' | 'reverting',
  payload: (cvm: CvmRow) => OperationPayload,
): Promise<boolean> {
  const cvm = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('id', '=', one.cvm.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (isGone(cvm)) {
    await settleItem(trx, rollout, one, { state: 'skipped', reason: 'deleted' });
    return true;
  }
  if (cvm.status === 'lost') {
    await settleItem(trx, rollout, one, { state: 'skipped', reason: 'lost' });
    return true;
  }
  const busy = await liveOperation(trx, cvm.id);
  if (busy || !isSettled(cvm.status)) return false;
  // Updating a failed CVM starts it, so the rules for starting apply; a running CVM must be allowed to run.
  // Rollbacks are never refused, because the update they revert wasn't.
  const runs = state === 'updating' && outcome('update', cvm).target === 'running';
  const starts = runs && cvm.status !== 'running';
  const refusal = runs ? await runRefusal(trx, cvm, fundsRequired) : null;
  if (refusal !== null) {
    await settleItem(trx, rollout, one, { state: 'skipped', ...refusal });
    return true;
  }
  const operation = await beginOperation(trx, {
    cvm,
    type: 'update',
    payload: { ...payload(cvm), rollout_id: rollout.public_id },
    user_id: rollout.requested_by,
    traceparent: rollout.traceparent,
  });
  if (starts && fundsRequired) await insertHold(trx, operation, rateToStart(cvm), { replaces: true });
  await trx
    .updateTable('rollout_items')
    .set(
      state === 'updating'
        ? { state, operation_id: operation.id, started_at: new Date() }
        : { state, revert_operation_id: operation.id, finished_at: null },
    )
    .where('rollout_id', '=', rollout.id)
    .where('position', '=', one.item.position)
    .execute();
  if (state === 'updating')
    await trx
      .updateTable('revisions')
      .set({ correlation_id: operation.correlation_id })
      .where('id', '=', rollout.revision_id)
      .where('correlation_id', 'is', null)
      .execute();
  await jobs.enqueueOperation(trx, operation.correlation_id);
  return false;
}
