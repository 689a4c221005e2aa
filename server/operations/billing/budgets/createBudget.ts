import { countBudgets, findApp, insertBudget, MAX_BUDGETS } from '../../../db/billing/budgets';
import { DEFAULT_ALERTS } from '../../../domain/billing/budget';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/invalid';
import { holdTeam } from '../../core/caller';
import type { Handler } from '../../types';
import { auditedBudget, budgetAmount, checkedBudget, heldBudget, sortedAlerts } from './budgetChange';

export const createBudget: Handler<'createBudget'> = async ({ body, ctx }) => {
  const { app_id: hex = null, period, alerts = DEFAULT_ALERTS, action } = body;
  const amount_micros = budgetAmount(body.amount);
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const app_id = hex === null ? null : await findApp(trx, team.id, hex);
    if (app_id === undefined) throw invalid('app_id', 'The team has no such app.');
    if ((await countBudgets(trx, team.id)) >= MAX_BUDGETS)
      throw new Problem('CONFLICT', {
        message: `The team has reached the limit of ${MAX_BUDGETS} budgets.`,
        suggestions: ['Delete one that you no longer need.'],
      });
    const public_id = await insertBudget(trx, {
      team_id: team.id,
      app_id,
      period,
      amount_micros,
      alerts: sortedAlerts(alerts),
      action,
    });
    if (public_id === null)
      throw new Problem('CONFLICT', {
        message: 'A budget for this period already exists.',
        suggestions: ['Change its amount instead.'],
      });
    const { body: budget } = await checkedBudget(trx, await heldBudget(trx, team.id, public_id));
    await audit({
      action: 'budget.create',
      target_kind: 'budget',
      target_id: public_id,
      after: auditedBudget(budget),
    });
    return { status: 201, body: budget } as const;
  });
};
