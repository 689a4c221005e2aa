import { setBudget } from '../../../db/billing/budgets';
import { formatMicros } from '../../../../console/lib/billing/money';
import { holdTeam } from '../../core/caller';
import type { Handler } from '../../types';
import { auditedBudget, budgetAmount, checkedBudget, heldBudget, sortedAlerts } from './budgetChange';

export const updateBudget: Handler<'updateBudget'> = async ({ path, body, ctx }) => {
  const { amount, alerts, action } = body;
  const change = {
    ...(amount === undefined ? {} : { amount_micros: budgetAmount(amount) }),
    ...(alerts === undefined ? {} : { alerts: sortedAlerts(alerts) }),
    ...(action === undefined ? {} : { action }),
  };
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const before = await heldBudget(trx, team.id, path.budget_id);
    await setBudget(trx, before.id, change);
    const { body: budget } = await checkedBudget(trx, { ...before, ...change });
    await audit({
      action: 'budget.update',
      target_kind: 'budget',
      target_id: before.public_id,
      before: { amount: formatMicros(before.amount_micros), alerts: before.alerts, action: before.action },
      after: auditedBudget(budget),
    });
    return { status: 200, body: budget } as const;
  });
};
