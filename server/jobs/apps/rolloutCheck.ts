import { reasonText, type FailedReason } from '../../../console/lib/apps/rolloutReasons';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { Tx } from '../../db/core/client';
import { findCvm } from '../../db/cvms/cvmLookup';
import { liveOperation } from '../../db/activity/operations';
import type { WorkItem } from '../../db/apps/rollouts';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { RolloutItemRow } from '../../db/apps/rolloutItemsTable';
import type { RolloutRow } from '../../db/apps/rolloutsTable';
import { composeFacts, loadComposeFacts } from '../../domain/apps/composeFacts';
import type { EvidenceVerdict, RolloutEvidence } from '../../domain/apps/rolloutEvidence';
import { lookAt, type Health } from '../platform/health';
import { evidenceVerdict } from './rolloutEvidence';
import { goBackBecause, problem, settleItem, turn } from './rolloutRows';
import type { RolloutWorld } from './rollouts';

/** Checks are a second apart, and guest clocks drift. */
const SLACK_SECONDS = 3;

/** One check of a CVM. `verdict` is null until its containers have been healthy for long enough. */
interface Look {
  health: Health | null;
  verdict: EvidenceVerdict | null;
}

/**
 * Watches a CVM after its update until it has stayed healthy for as long as the rollout requires and its
 * evidence passes, or its time is up. The guest is queried outside the transaction, since that may take
 * seconds.
 */
export async function checkItem(world: RolloutWorld, id: number, one: WorkItem): Promise<boolean> {
  const seen = await look(world, one);
  return turn(world, id, async (trx, rollout) => {
    const cvm = await trx
      .selectFrom('cvms')
      .selectAll()
      .where('id', '=', one.cvm.id)
      .executeTakeFirstOrThrow();
    if (cvm.deleted_at !== null || cvm.desired === 'deleted') {
      await settleItem(trx, rollout, one, { state: 'skipped', reason: 'deleted' });
      return true;
    }
    if (rollout.cancel_mode === 'revert') {
      await settleItem(trx, rollout, one, { state: 'updated', reason: 'check_skipped' });
      return true;
    }
    if (cvm.status === 'stopped' && cvm.desired === 'stopped') {
      await settleItem(trx, rollout, one, { state: 'updated', reason: 'stopped_before_check' });
      return true;
    }
    if (['error', 'lost'].includes(cvm.status) && !(await liveOperation(trx, cvm.id)))
      return failed(
        trx,
        rollout,
        one,
        cvm.status === 'lost' ? { reason: 'lost' } : { reason: 'in_error', detail: cvm.status_reason },
      );
    return judge(trx, rollout, one, { cvm, seen });
  });
}

async function look(world: RolloutWorld, { cvm, item }: WorkItem): Promise<Look> {
  if (cvm.status !== 'running' || cvm.host_vm_id === null) return { health: null, verdict: null };
  const row = await findCvm(world.db, cvm.team_id, cvm.public_id);
  const { revision, teepod } = row;
  await loadComposeFacts([revision], (text) => world.compose.analyze(text, `rollouts:${cvm.team_id}`));
  const expected = {
    compose_hash: revision.compose_hash,
    services: composeFacts(revision).services.length,
    local: teepod.kind === 'local',
  };
  const health = await lookAt(() => world.vmm.get(teepod), cvm.host_vm_id, expected, world.stopping);
  const { settle_seconds } = await world.db
    .selectFrom('rollouts')
    .select('settle_seconds')
    .where('id', '=', item.rollout_id)
    .executeTakeFirstOrThrow();
  const since = wellSince(item, health, new Date());
  if (!health.guest || since === null || secondsSince(since) < settle_seconds)
    return { health, verdict: null };
  return { health, verdict: await evidenceVerdict(world, row, health.guest) };
}

async function judge(
  trx: Tx,
  rollout: RolloutRow,
  one: WorkItem,
  { cvm, seen: { health, verdict } }: { cvm: CvmRow; seen: Look },
): Promise<boolean> {
  const { item } = one;
  const now = new Date();
  const isRefuted = verdict !== null && !verdict.ok;
  const since = isRefuted ? null : wellSince(item, health, now);
  const message = isRefuted
    ? reasonText('evidence_failed', verdict.detail)
    : !health
      ? `It is ${cvm.status.replace('_', ' ')}.`
      : since
        ? `Containers have been up for ${Math.floor(secondsSince(since))} of ${rollout.settle_seconds} s.`
        : health.message;
  await trx
    .updateTable('rollout_items')
    .set({
      containers: JSON.stringify(health?.containers ?? []),
      evidence: health?.evidence ? JSON.stringify(withVerdict(health.evidence, verdict)) : null,
      healthy_since: since,
      message: cutWhole(message, 2000),
    })
    .where('rollout_id', '=', rollout.id)
    .where('position', '=', item.position)
    .execute();
  // Requires a verdict from this check before settling: "healthy" alone is only the guest's claim.
  if (verdict?.ok && since !== null) {
    await settleItem(trx, rollout, one, { state: 'updated', reason: null });
    return true;
  }
  // A CVM that is healthy at its deadline may complete its watch period.
  if (since === null && item.check_until !== null && now > item.check_until)
    return isRefuted
      ? failed(trx, rollout, one, { reason: 'evidence_failed', detail: verdict.detail })
      : failed(
          trx,
          rollout,
          one,
          { reason: 'not_healthy', detail: message },
          `Not healthy within ${rollout.health_timeout_seconds} s: ${message}`,
        );
  return false;
}

const secondsSince = (time: Date) => (Date.now() - time.getTime()) / 1000;

const withVerdict = (reported: RolloutEvidence, verdict: EvidenceVerdict | null): RolloutEvidence =>
  verdict === null
    ? reported
    : {
        compose_hash: verdict.compose_hash ?? reported.compose_hash,
        expected: reported.expected,
        matches:
          verdict.compose_hash === null ? reported.matches : verdict.compose_hash === reported.expected,
        trust: verdict.trust,
        checked_at: new Date().toISOString(),
        detail: cutWhole(verdict.detail, 1000),
      };

/** Returns when the CVM became healthy. A container that started later was restarted in between. */
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

async function failed(
  trx: Tx,
  rollout: RolloutRow,
  one: WorkItem,
  why: { reason: FailedReason; detail?: string | null },
  text = reasonText(why.reason, why.detail),
): Promise<boolean> {
  await settleItem(trx, rollout, one, { state: 'failed', ...why });
  await goBackBecause(trx, rollout, problem('DEADLINE_PASSED', `“${one.cvm.name}”: ${text}`));
  return true;
}
