import { revisionById } from '../db/revisions';
import type { Tx } from '../db/client';
import { liveOperation } from '../db/operations';
import type { WorkItem } from '../db/rollouts';
import type { CvmRow } from '../db/schema';
import type { RolloutItemRow, RolloutRow } from '../db/schemaRollouts';
import { composeFacts } from '../domain/composeFacts';
import { lookAt, type Health } from './health';
import { goBackBecause, problem, settleItem, turn } from './rolloutRows';
import type { RolloutWorld } from './rollouts';

/** Two looks are a second apart, and clocks of guests tick as they like. */
const SLACK_SECONDS = 3;

/**
 * Watches a CVM after its update until it has been well without a break for as long as the rollout asks, or has had its
 * time. The guest is asked outside of the transaction: it may take seconds.
 */
export async function checkItem(world: RolloutWorld, id: number, one: WorkItem): Promise<boolean> {
  const health = await look(world, one);
  return turn(world, id, async (trx, rollout) => {
    const cvm = await trx
      .selectFrom('cvms')
      .selectAll()
      .where('id', '=', one.cvm.id)
      .executeTakeFirstOrThrow();
    if (cvm.deleted_at !== null || cvm.desired === 'deleted') {
      await settleItem(trx, rollout, one, 'skipped', 'It was deleted meanwhile.');
      return true;
    }
    if (rollout.cancel_mode === 'revert') {
      await settleItem(trx, rollout, one, 'updated', 'Not watched to the end: it goes back anyway.');
      return true;
    }
    if (cvm.status === 'stopped' && cvm.desired === 'stopped') {
      await settleItem(trx, rollout, one, 'updated', 'It was stopped before it was seen well.');
      return true;
    }
    if (cvm.status === 'error' && !(await liveOperation(trx, cvm.id)))
      return failed(trx, rollout, one, cvm.status_reason ?? 'It is in error.');
    return judge(trx, rollout, one, { cvm, health });
  });
}

async function look(world: RolloutWorld, { cvm }: WorkItem): Promise<Health | null> {
  if (cvm.status !== 'running' || cvm.host_vm_id === null) return null;
  const [teepod, revision] = await Promise.all([
    world.db.selectFrom('teepods').selectAll().where('id', '=', cvm.teepod_id).executeTakeFirstOrThrow(),
    revisionById(world.db, cvm.revision_id),
  ]);
  const expected = {
    compose_hash: revision.compose_hash,
    services: composeFacts(revision).services.length,
    local: teepod.kind === 'local',
  };
  return lookAt(() => world.vmm.get(teepod), cvm.host_vm_id, expected, world.stopping);
}

async function judge(
  trx: Tx,
  rollout: RolloutRow,
  one: WorkItem,
  { cvm, health }: { cvm: CvmRow; health: Health | null },
): Promise<boolean> {
  const { item } = one;
  const now = new Date();
  const since = wellSince(item, health, now);
  const seconds = since === null ? 0 : (now.getTime() - since.getTime()) / 1000;
  const seen = {
    containers: JSON.stringify(health?.containers ?? []),
    evidence: health?.evidence ? JSON.stringify(health.evidence) : null,
    healthy_since: since,
  };
  const well = since !== null && seconds >= rollout.settle_seconds;
  const message = health
    ? since
      ? `Containers are up for ${Math.floor(seconds)} of ${rollout.settle_seconds} s.`
      : health.message
    : `It is ${cvm.status.replace('_', ' ')}.`;
  await trx
    .updateTable('rollout_items')
    .set({ ...seen, message: message.slice(0, 2000) })
    .where('rollout_id', '=', rollout.id)
    .where('position', '=', item.position)
    .execute();
  if (well) {
    await settleItem(trx, rollout, one, 'updated', null);
    return true;
  }
  // What is well when its time is up may finish being watched.
  if (since === null && item.check_until !== null && now > item.check_until)
    return failed(trx, rollout, one, `Not well within ${rollout.health_timeout_seconds} s: ${message}`);
  return false;
}

/** Since when it has been well; a container that started later than that was restarted in between. */
function wellSince(
  item: Pick<RolloutItemRow, 'healthy_since'>,
  health: Health | null,
  now: Date,
): Date | null {
  if (!health?.well) return null;
  const since = item.healthy_since ?? now;
  const restarted =
    health.up_seconds !== null &&
    health.up_seconds + SLACK_SECONDS < (now.getTime() - since.getTime()) / 1000;
  return restarted ? now : since;
}

async function failed(trx: Tx, rollout: RolloutRow, one: WorkItem, message: string): Promise<boolean> {
  await settleItem(trx, rollout, one, 'failed', message);
  await goBackBecause(trx, rollout, problem('DEADLINE_PASSED', `“${one.cvm.name}”: ${message}`));
  return true;
}
