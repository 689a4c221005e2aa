import { budgetsOfTeam, stoppedByBudgets, usedByBudgets } from '../../../db/billing/budgets';
import { readSnapshot } from '../../../db/core/snapshot';
import { budgetOut } from '../../../domain/billing/budgetResponse';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';

export const listBudgets: Handler<'listBudgets'> = async ({ ctx }) => {
  const { id } = teamOf(ctx);
  return readSnapshot(ctx.db, async (trx) => {
    const budgets = await budgetsOfTeam(trx, id);
    const used = await usedByBudgets(trx, id, budgets, new Date());
    const stopped = await stoppedByBudgets(
      trx,
      budgets.map((budget) => budget.id),
    );
    return {
      status: 200,
      body: {
        items: budgets.flatMap((row) => {
          const found = used.get(row.id);
          return found ? [budgetOut(row, { ...found, stopped: stopped.get(row.id) ?? 0 })] : [];
        }),
      },
    } as const;
  });
};
