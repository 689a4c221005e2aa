import { formatMicros } from '../../../console/lib/billing/money';
import { steadyBalance } from '../../db/billing/accrued';
import { debtDaysNow } from '../../db/billing/billingSettings';
import { countCvms, debtsOfTeams, postponingPayment, lastSettled } from '../../db/billing/debts';
import { debtStage } from '../../domain/billing/debt';
import { iso } from '../../domain/core/references';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getDebt: Handler<'getDebt'> = async ({ ctx }) => {
  const { id } = teamOf(ctx);
  const now = new Date();
  const [debts, settled, { balance, cap }, cvms, { pending: days }] = await Promise.all([
    ctx.config.billingEnforced ? debtsOfTeams(ctx.db, [id]) : new Map(),
    lastSettled(ctx.db, id),
    steadyBalance(ctx.db, id, now),
    countCvms(ctx.db, id),
    debtDaysNow(ctx.db, ctx.config.debtDays),
  ]);
  const debt = debts.get(id);
  const due = Math.max(0, -(balance + cap));
  const pending = await postponingPayment(ctx.db, debt ?? { team_id: id, postponing_payment: null }, {
    due,
    now,
    days,
  });
  return {
    status: 200,
    body: {
      debt: debt
        ? {
            id: debt.public_id,
            stage: debtStage(debt, now),
            // May already be paid: the job's next run settles it.
            due: formatMicros(due),
            started_at: debt.started_at.toISOString(),
            stops_at: debt.stops_at.toISOString(),
            deletes_at: debt.deletes_at.toISOString(),
            stopped_at: iso(debt.stopped_at),
            deleted_at: iso(debt.deleted_at),
          }
        : null,
      settled_at: iso(settled),
      payment_pending: pending !== null,
      active_cvms: cvms.active,
      kept_cvms: cvms.kept,
    },
  };
};
