import { formatMicros } from '../../../../console/lib/billing/money';
import { ledgerSums, lastLedgerCheck } from '../../../db/billing/ledgerHealth';
import type { Handler } from '../../types';

export const getAdminLedger: Handler<'getAdminLedger'> = async ({ ctx }) => {
  const [{ accounts, teams }, check] = await Promise.all([ledgerSums(ctx.db), lastLedgerCheck(ctx.db)]);
  const body = {
    accounts: accounts.map(({ account, amount_micros }) => ({
      account,
      amount: formatMicros(amount_micros),
    })),
    total: formatMicros(accounts.reduce((sum, { amount_micros }) => sum + amount_micros, 0)),
    teams,
    check: check && {
      checked_at: check.checked_at.toISOString(),
      transactions: check.transactions,
      discrepancies: check.discrepancies.map(({ team_id, what, expected, found }) => ({
        team_id,
        what: what.slice(0, 200),
        expected: formatMicros(expected),
        found: formatMicros(found),
      })),
    },
  };
  return { status: 200, body };
};
