import { formatMicros } from '../../../console/lib/billing/money';
import {
  alertText,
  alertTitle,
  budgetName,
  checkBudget,
  overText,
  type Spent,
} from '../../domain/billing/budget';
import { addTeamEvents } from '../activity/eventFeed';
import { appendAudit } from '../audit/auditLog';
import type { Tx } from '../core/client';
import type { NamedBudget, Used } from './budgets';

/**
 * Compares a locked budget with its usage, and notifies payers of changes. @returns the budget after the check
 */
export async function applyCheck(
  trx: Tx,
  budget: NamedBudget,
  { used, orders, posted, seq, from }: Used,
  now: Date,
): Promise<NamedBudget> {
  const { alert, change, ...state } = checkBudget(budget, { used, orders }, from, now);
  const isSame =
    budget.posted_seq === seq &&
    budget.period_start.getTime() === from.getTime() &&
    budget.alerted === state.alerted &&
    change === null;
  if (isSame) return budget;
  const next = { ...state, posted_micros: posted, posted_seq: seq };
  await trx.updateTable('budgets').set(next).where('id', '=', budget.id).execute();
  if (alert !== null || change !== null) await notify(trx, budget, { alert, change, used, orders });
  return { ...budget, ...next };
}

async function notify(
  trx: Tx,
  budget: NamedBudget,
  { alert, change, ...spent }: Pick<ReturnType<typeof checkBudget>, 'alert' | 'change'> & Spent,
): Promise<void> {
  const { team_id, public_id, amount_micros, action } = budget;
  const percent = alert ?? 100;
  const kind = change === null ? 'budget.alert' : (`budget.${change}` as const);
  const title = change === 'used_up' ? `The ${budgetName(budget)} is used up` : alertTitle(budget, percent);
  await addTeamEvents(trx, [
    {
      team_id,
      kind,
      severity:
        change === 'over' ? 'info' : change === 'used_up' && action !== 'notify' ? 'error' : 'warning',
      message: change === 'over' ? overText(budget, spent) : alertText(budget, spent),
      data: { budget_id: public_id, title },
    },
  ]);
  await appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id,
      action: kind,
      target_kind: 'budget',
      target_id: public_id,
      after: {
        used: formatMicros(spent.used),
        orders: formatMicros(spent.orders),
        amount: formatMicros(amount_micros),
        percent,
        action,
      },
    },
  ]);
}
