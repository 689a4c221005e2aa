import { addEvent, beginOperation, liveOperation } from '../../../db/activity/operations';
import type { OperationRow } from '../../../db/activity/operationsTable';
import { insertHold } from '../../../db/billing/holds';
import { insertGivenUp } from '../../../db/cvms/givenUpVms';
import { findCvm } from '../../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { rateToPay, rateToStart } from '../../../domain/billing/pricing';
import { transitions } from '../../../domain/cvms/cvmStates';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import { claimFunds } from '../../core/funds';
import { invalidField } from '../../core/invalid';
import { refuseBusy } from '../busy';
import type { Context, Write } from '../../types';

interface GiveUp<T> {
  cvm_id: string;
  /** The CVM's team; the request's team if absent. */
  team_id?: number;
  /** The CVM's name as typed for confirmation. */
  name: string;
  reply: (row: JoinedCvm, operation: OperationRow, write: Write) => T | Promise<T>;
}

/**
 * Gives up a lost CVM's VM and starts the CVM with an empty disk. The old VM stays on record: it is never used
 * again, and only an administrator can remove it. @throws WRONG_STATE, VALIDATION_FAILED, OPERATION_IN_PROGRESS,
 * INSUFFICIENT_BALANCE, BUDGET_USED_UP
 */
export async function giveUp<T>(ctx: Context, { cvm_id, team_id: of, name, reply }: GiveUp<T>): Promise<T> {
  const team_id = of ?? teamOf(ctx).id;
  return ctx.write(async (write) => {
    const { trx, audit } = write;
    const row = await findCvm(trx, team_id, cvm_id, { lock: true });
    const { cvm, teepod } = row;
    refuseBusy(cvm, row.operation ?? (await liveOperation(trx, cvm.id)));
    if (cvm.status !== 'lost' || cvm.host_vm_id === null)
      throw new Problem('WRONG_STATE', {
        message: `“${cvm.name}” is ${cvm.status}; only a lost CVM can be given up.`,
        details: [{ field: 'status', value: cvm.status }],
      });
    if (name !== cvm.name) throw invalidField('name', `Type the CVM's name, ${cvm.name}.`);
    // A lost CVM costs nothing. Platform staff may start it even if the team has no funds.
    const hold =
      of === undefined
        ? await claimFunds(ctx, trx, rateToPay(cvm), {
            app_id: cvm.app_id,
            deploys: false,
            runs: rateToStart(cvm),
          })
        : 0;
    const user_id = ctx.caller.user?.id ?? null;
    const { host_vm_id } = cvm;
    await insertGivenUp(trx, { cvm_id: cvm.id, teepod_id: teepod.id, host_vm_id, given_up_by: user_id });
    const fresh = {
      host_vm_id: null,
      instance_id: null,
      missing_since: null,
      boot_progress: null,
      boot_error: null,
    };
    await trx.updateTable('cvms').set(fresh).where('id', '=', cvm.id).execute();
    await addEvent(trx, {
      cvm,
      kind: 'cvm.given_up',
      severity: 'warning',
      message: `Given up: it starts on ${teepod.name} with an empty disk`,
      data: {
        host_vm_id: cvm.host_vm_id,
        host: teepod.name,
        since: cvm.missing_since?.toISOString() ?? null,
      },
    });
    // If this start is canceled, the CVM isn't lost again: it has no VM that could return.
    const operation = await beginOperation(trx, {
      cvm: { ...cvm, ...fresh, status: 'error' },
      type: 'start',
      user_id,
    });
    await insertHold(trx, operation, hold, { replaces: true });
    await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
    await audit({
      action: 'cvm.give_up',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      team_id,
      before: { name: cvm.name, status: cvm.status, host_vm_id: cvm.host_vm_id, teepod: teepod.name },
      after: { name: cvm.name, correlation_id: operation.correlation_id },
    });
    const now: JoinedCvm = {
      ...row,
      cvm: { ...cvm, ...fresh, status: transitions.start.during },
      operation,
      latest_operation: operation,
    };
    return reply(now, operation, write);
  });
}
