import { formatMicros } from '../../../../console/lib/billing/money';
import { lastCheck, ledgerSums, teamNames } from '../../../db/billing/books/adminLedger';
import type { Handler } from '../../types';

export const getAdminLedger: Handler<'getAdminLedger'> = async ({ ctx }) => {
  const [sums, check] = await Promise.all([ledgerSums(ctx.db), lastCheck(ctx.db)]);
  const discrepancies = check?.discrepancies ?? [];
  const names = await teamNames(
    ctx.db,
    discrepancies.map(({ team_id }) => team_id),
  );
  return {
    status: 200,
    body: {
      accounts: sums.map(({ account, amount }) => ({ account, amount: formatMicros(amount) })),
      total: formatMicros(sums.reduce((total, { amount }) => total + amount, 0)),
      checked_at: check?.checked_at.toISOString() ?? null,
      transactions: check?.transactions ?? 0,
      discrepancies: discrepancies.map(({ team_id, what, expected, found }) => ({
        team_id,
        team_name: names.get(team_id) ?? null,
        what,
        expected: formatMicros(Math.round(expected)),
        found: formatMicros(Math.round(found)),
      })),
    },
  };
};
