import { appendAudit } from '../../db/audit/auditLog';
import { addEvent } from '../../db/activity/operations';
import { noteBudgetStop, refusingBudget, type NamedBudget } from '../../db/billing/budgets';
import { noteDebtStop, overdueDebt } from '../../db/billing/debts';
import type { Tx } from '../../db/core/client';
import type { Json } from '../../db/core/json';
import { STOPPED, type CvmRow } from '../../db/cvms/cvmsTable';
import { budgetName } from '../../domain/billing/budget';
import { rateToStart } from '../../domain/billing/pricing';

/** Records the effect of a debt, its settlement or a budget on a CVM. */
export const auditCvm = (trx: Tx, cvm: CvmRow, action: string, after: Json): Promise<void> =>
  appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id: cvm.team_id,
      action,
      target_kind: 'cvm',
      target_id: cvm.public_id,
      before: { name: cvm.name, status: cvm.status },
      after,
    },
  ]);

/**
 * Returns the budget that keeps a CVM stopped; null for none. Usage covered by an order costs nothing more, so
 * no budget keeps it stopped.
 */
export async function stoppingBudget(trx: Tx, cvm: CvmRow, now: Date): Promise<NamedBudget | null> {
  const { team_id, app_id } = cvm;
  return rateToStart(cvm, now) === 0
    ? null
    : refusingBudget(trx, team_id, { app_id, actions: ['stop'], now });
}

/**
 * Records that a CVM isn't started while a budget is exhausted. The team is offered to start it once that
 * changes.
 */
export async function leaveToBudget(trx: Tx, cvm: CvmRow, budget: NamedBudget): Promise<void> {
  await noteBudgetStop(trx, cvm.id, budget.id);
  const message = `Not started again: the ${budgetName(budget)} is used up`;
  await addEvent(trx, { cvm, kind: 'cvm.budget_stop', severity: 'warning', message });
  await auditCvm(trx, cvm, 'cvm.budget_stop', { budget: budget.public_id });
}

/** Reasons for which jobs stop CVMs. */
type RunStop =
  | { debt: { id: number; public_id: string }; budget?: never }
  | { budget: NamedBudget; debt?: never };

/**
 * Returns the debt or budget that forbids a CVM to run; null for none. @param billingEnforced whether debts
 * stop CVMs
 */
export async function findRunStop(
  trx: Tx,
  cvm: CvmRow,
  { billingEnforced, now }: { billingEnforced: boolean; now: Date },
): Promise<RunStop | null> {
  const debt = billingEnforced ? await overdueDebt(trx, cvm.team_id, now) : undefined;
  if (debt) return { debt };
  const budget = await stoppingBudget(trx, cvm, now);
  return budget && { budget };
}

/**
 * Records a CVM as stopped whose VM is already down. It is started again, or offered to be, like others stopped
 * for the same reason. Runs under the row's lock.
 */
export async function leaveStopped(trx: Tx, cvm: CvmRow, stop: RunStop): Promise<void> {
  await trx
    .updateTable('cvms')
    .set({ ...STOPPED, updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  if (stop.budget) return leaveToBudget(trx, cvm, stop.budget);
  await noteDebtStop(trx, cvm.id, stop.debt.id);
  const message = 'Not started again: a payment is due. The disk is kept';
  await addEvent(trx, { cvm, kind: 'cvm.debt_stop', severity: 'warning', message });
  await auditCvm(trx, cvm, 'cvm.debt_stop', { debt: stop.debt.public_id });
}
