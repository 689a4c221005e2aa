import type { Budget } from '../../../../generated/api/types.gen';
import { applyCheck } from '../../../db/billing/budgetChecks';
import { lockBudget, stoppedByBudgets, usedByBudgets, type NamedBudget } from '../../../db/billing/budgets';
import { lockLedger } from '../../../db/billing/ledger';
import type { Tx } from '../../../db/core/client';
import { budgetOut } from '../../../domain/billing/budgetResponse';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/invalid';
import { amountOf } from '../amount';

const MIN_MICROS = 10_000;

/** Returns micro-dollars. @throws VALIDATION_FAILED */
export function budgetAmount(decimal: string): number {
  const micros = amountOf(decimal, 'amount');
  if (micros < MIN_MICROS) throw invalid('amount', 'The amount must be at least $0.01.');
  return micros;
}

/** Returns percentages in ascending order, each once. */
export const sortedAlerts = (alerts: readonly number[]): number[] =>
  [...new Set(alerts)].toSorted((a, b) => a - b);

/** @throws NOT_FOUND also for other teams' budgets */
export async function heldBudget(trx: Tx, team_id: number, budget_id: string): Promise<NamedBudget> {
  const row = await lockBudget(trx, team_id, budget_id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no budget ${budget_id}.` });
  return row;
}

/** Re-evaluates a locked budget after a change, so that the change takes effect immediately. */
export async function checkedBudget(
  trx: Tx,
  row: NamedBudget,
): Promise<{ budget: NamedBudget; body: Budget }> {
  // Prevents an hour from being posted between the statements that read usage.
  await lockLedger(trx, row.team_id);
  const now = new Date();
  const found = (await usedByBudgets(trx, row.team_id, [row], now)).get(row.id);
  if (!found) throw new Error(`budget ${row.public_id} was not checked`);
  const budget = await applyCheck(trx, row, found, now);
  const stopped = (await stoppedByBudgets(trx, [row.id])).get(row.id) ?? 0;
  return { budget, body: budgetOut(budget, { ...found, stopped }) };
}

/** For the audit log. */
export const auditedBudget = ({ app, period, amount, alerts, action }: Budget) => ({
  app: app?.app_id ?? null,
  period,
  amount,
  alerts,
  action,
});
