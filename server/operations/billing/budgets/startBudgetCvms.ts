import { beginOperation, liveOperation } from '../../../db/activity/operations';
import { cvmsStoppedBy, forgetStop } from '../../../db/billing/budgets';
import { insertHold } from '../../../db/billing/holds';
import { budgetRefusal, periodOf } from '../../../domain/billing/budget';
import { rateToStart } from '../../../domain/billing/pricing';
import { holdTeam } from '../../core/caller';
import { claimFunds } from '../../core/funds';
import type { Handler } from '../../types';
import { checkedBudget, heldBudget } from './budgetChange';

/** CVMs started per request. */
const BATCH_SIZE = 200;

export const startBudgetCvms: Handler<'startBudgetCvms'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const row = await heldBudget(trx, team.id, path.budget_id);
    const { budget } = await checkedBudget(trx, row);
    if (budget.used_up_at !== null && budget.action === 'stop')
      throw budgetRefusal(
        { ...budget, to: periodOf(budget.period, new Date()).to },
        { slug: team.slug, publicUrl: ctx.config.publicUrl },
      );
    let started = 0;
    for (const cvm of await cvmsStoppedBy(trx, budget.id, BATCH_SIZE)) {
      if (await liveOperation(trx, cvm.id)) continue;
      const runs = rateToStart(cvm);
      const hold = await claimFunds(ctx, trx, runs, { app_id: cvm.app_id, deploys: false, runs });
      const operation = await beginOperation(trx, {
        cvm,
        type: 'start',
        user_id: ctx.caller.user?.id ?? null,
      });
      await insertHold(trx, operation, hold, { replaces: true });
      started += 1;
      await forgetStop(trx, cvm.id);
      await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
      await audit({
        action: 'cvm.start',
        target_kind: 'cvm',
        target_id: cvm.public_id,
        before: { name: cvm.name, status: cvm.status },
        after: { name: cvm.name, correlation_id: operation.correlation_id, budget: budget.public_id },
      });
    }
    await audit({
      action: 'budget.start',
      target_kind: 'budget',
      target_id: budget.public_id,
      after: { started },
    });
    return { status: 200, body: (await checkedBudget(trx, budget)).body } as const;
  });
