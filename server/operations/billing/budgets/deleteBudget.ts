import { formatMicros } from '../../../../console/lib/billing/money';
import { removeBudget } from '../../../db/billing/budgets';
import { addTeamEvents } from '../../../db/activity/eventFeed';
import { budgetName } from '../../../domain/billing/budget';
import { holdTeam } from '../../core/caller';
import type { Handler } from '../../types';
import { heldBudget } from './budgetChange';

export const deleteBudget: Handler<'deleteBudget'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const budget = await heldBudget(trx, team.id, path.budget_id);
    await removeBudget(trx, budget.id);
    // Resolves notifications to payers.
    if (budget.alerted > 0)
      await addTeamEvents(trx, [
        {
          team_id: team.id,
          kind: 'budget.over',
          severity: 'info',
          message: `The ${budgetName(budget)} was deleted`,
          data: { budget_id: budget.public_id },
        },
      ]);
    await audit({
      action: 'budget.delete',
      target_kind: 'budget',
      target_id: budget.public_id,
      before: {
        app: budget.app_hex,
        period: budget.period,
        amount: formatMicros(budget.amount_micros),
        action: budget.action,
      },
    });
    return { status: 204 } as const;
  });
