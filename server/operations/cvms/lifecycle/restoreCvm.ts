import { insertHold } from '../../../db/billing/holds';
import { coverageNow } from '../../../db/billing/orders/cover';
import { brokenConstraint } from '../../../db/core/client';
import { findCvm } from '../../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { RESTORED } from '../../../../console/lib/cvms/operationWords';
import { addEvent, beginOperation } from '../../../db/activity/operations';
import type { OperationRow } from '../../../db/activity/operationsTable';
import { brokenOff, findRecycled, runningWhenDeleted, takeFromBin } from '../../../db/cvms/recycleBin';
import { takeGpusAgain } from '../../../db/hosts/gpus';
import { holdExactly, teepodCapacities } from '../../../db/hosts/reservations';
import { stoppedHourlyRate, uncoveredRate } from '../../../domain/billing/pricing';
import { Problem } from '../../../domain/core/problem';
import { toCvmDetail } from '../../../domain/cvms/cvmResponse';
import { teamOf } from '../../core/caller';
import { claimFunds } from '../../core/funds';
import type { Handler, Write } from '../../types';
import { refuseBusy } from '../busy';
import { quotaRefusal } from '../deploy/plan';
import { checkCvmName } from '../settings/renameCvm';
import { counted } from '../../../../console/lib/texts/count';

export const restoreCvm: Handler<'restoreCvm'> = async ({ path, body, ctx }) => {
  const team = teamOf(ctx);
  if (body.name !== undefined) checkCvmName(body.name);
  let name = body.name ?? '';
  try {
    return await ctx.write(async (write) => {
      const { trx, audit } = write;
      const row = await findRecycled(trx, team.id, path.cvm_id);
      const { cvm } = row;
      const scope = { app_id: cvm.app_id, deploys: true };
      name = body.name ?? cvm.name;
      refuseBusy(cvm, row.operation);
      await reserveAgain(write, row);
      const ran = (await runningWhenDeleted(trx, [cvm.id])).has(cvm.id);
      const started = ran ? ((await brokenOff(trx, cvm.id)) ?? 'start') : null;
      // A stopped CVM is billed for its disk: a debt that deleted it must be settled first.
      if (started === null) await claimFunds(ctx, trx, stoppedHourlyRate(cvm), scope);
      await takeFromBin(trx, cvm, name);
      const back = { ...cvm, name, status: 'stopped' as const, deleted_at: null, purge_at: null };
      let operation: OperationRow | null = null;
      if (started !== null) {
        // A change interrupted by the deletion may be half applied on the host, so the previous state is
        // written again.
        const again = started === 'update' || started === 'resize' ? started : 'start';
        // Once restored, a free order may cover it.
        const covers = await coverageNow(trx, cvm.id);
        const hold = await claimFunds(ctx, trx, uncoveredRate(cvm, covers), scope);
        const { vcpu, memory_mb, disk_gb, revision_id, instance_type } = cvm;
        operation = await beginOperation(trx, {
          cvm: { ...back, desired: 'running' },
          type: again,
          payload: {
            restores: true,
            ...(again === 'update' ? { revision_id, vcpu, memory_mb } : {}),
            ...(again === 'resize' ? { vcpu, memory_mb, disk_gb, instance_type } : {}),
          },
          user_id: ctx.caller.user?.id ?? null,
        });
        await insertHold(trx, operation, hold, { replaces: true });
        await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
      }
      // Merged into the start operation, if any: a restoration is one row.
      await addEvent(trx, {
        cvm,
        operation,
        kind: 'cvm.restored',
        message: name === cvm.name ? RESTORED : `${RESTORED} as “${name}”`,
      });
      await audit({
        action: 'cvm.restore',
        target_kind: 'cvm',
        target_id: cvm.public_id,
        before: { name: cvm.name, purge_at: cvm.purge_at?.toISOString() ?? null },
        after: { name },
      });
      return { status: 200 as const, body: toCvmDetail(await findCvm(trx, team.id, cvm.vm_uuid), ctx) };
    });
  } catch (error) {
    if (brokenConstraint(error) !== 'cvms_team_name') throw error;
    throw new Problem('DUPLICATE_CVM_NAME', {
      message: `Another CVM in the team now uses the name “${name}”.`,
      details: [{ field: 'name', value: name }],
      suggestions: ['Send name to restore it under another name.'],
    });
  }
};

/** In the bin it kept only its disk; its vCPUs and memory may be in use elsewhere. */
async function reserveAgain({ trx }: Write, { cvm, teepod }: JoinedCvm): Promise<void> {
  // Not FOR UPDATE: transactions that hold the host insert rows that reference the team.
  await trx.selectFrom('teams').select('id').where('id', '=', cvm.team_id).forNoKeyUpdate().execute();
  await trx.selectFrom('teepods').select('id').where('id', '=', cvm.teepod_id).forNoKeyUpdate().execute();
  const held = await trx
    .selectFrom('reservations')
    .select(['vcpu', 'memory_mb'])
    .where('cvm_id', '=', cvm.id)
    .executeTakeFirst();
  const more = {
    vcpu: cvm.vcpu - (held?.vcpu ?? 0),
    memory_mb: cvm.memory_mb - (held?.memory_mb ?? 0),
    disk_gb: 0,
  };
  const refused = await quotaRefusal(trx, cvm.team_id, more, held && held.vcpu > 0 ? 0 : 1);
  if (refused) throw refused;
  const [free] = await teepodCapacities(trx, {
    team_id: cvm.team_id,
    teepod_id: cvm.teepod_id,
    include_closed: true,
  });
  const full = (what: string) => ({
    message: `The host ${teepod.name} no longer has capacity: ${what}.`,
    suggestions: [
      'Delete or shrink another CVM on this host, or try again later. The CVM stays in the recycle bin until then.',
    ],
  });
  if (!free || free.vcpu < more.vcpu)
    throw new Problem(
      'INSUFFICIENT_VCPU',
      full(`${Math.max(0, free?.vcpu ?? 0)} vCPU free, ${more.vcpu} needed`),
    );
  if (free.memory_mb < more.memory_mb)
    throw new Problem(
      'INSUFFICIENT_MEMORY',
      full(`${Math.max(0, free.memory_mb)} MB of memory free, ${more.memory_mb} MB needed`),
    );
  if (!(await takeGpusAgain(trx, cvm, free.gpus)))
    throw new Problem(
      'INSUFFICIENT_GPU',
      full(`${counted(free.gpus, ['GPU', 'GPUs'])} free for the team, ${cvm.gpus} needed`),
    );
  await holdExactly(trx, cvm.id, cvm);
}
