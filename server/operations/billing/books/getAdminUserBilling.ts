import { cardText } from '../../../../console/lib/billing/cardText';
import { formatMicros } from '../../../../console/lib/billing/money';
import pLimit from 'p-limit';
import { steadyBalance } from '../../../db/billing/accrued';
import { teamsPaidBy } from '../../../db/billing/books/adminLedger';
import { iso } from '../../../domain/core/references';
import { missing } from '../../core/admin/resource';
import { users } from '../../core/admin/resourcesPeople';
import type { Handler } from '../../types';

/** Each lookup takes up to three connections: a user with hundreds of teams must not exhaust the pool. */
const MAX_CONCURRENT = 4;

export const getAdminUserBilling: Handler<'getAdminUserBilling'> = async ({ path: { id }, ctx }) => {
  const user = await ctx.db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  if (!user) throw missing(users, id);
  const teams = await teamsPaidBy(ctx.db, id);
  const now = new Date();
  const turns = pLimit(MAX_CONCURRENT);
  const balances = new Map(
    await Promise.all(
      teams.map(({ team_id }) =>
        turns(async () => [team_id, (await steadyBalance(ctx.db, team_id, now)).balance] as const),
      ),
    ),
  );
  return {
    status: 200,
    body: {
      teams: teams.map((team) => ({
        team_id: team.team_id,
        slug: team.slug,
        name: team.name,
        role: team.role,
        balance: formatMicros(balances.get(team.team_id) ?? 0),
        prepaid: formatMicros(team.prepaid),
        credits: formatMicros(team.credits),
        post_paid_cap: formatMicros(team.post_paid_cap),
        debt_since: iso(team.debt_since),
        stops_at: iso(team.stops_at),
        stopped_at: iso(team.stopped_at),
        deletes_at: iso(team.deletes_at),
        deleted_at: iso(team.deleted_at),
        unpaid_invoices: team.unpaid_invoices,
        unpaid: formatMicros(team.unpaid),
        waiting_payments: team.waiting_payments,
        received_payments: team.received_payments,
        pending_actions: team.pending_actions,
        card:
          team.card_brand === null || team.card_last4 === null
            ? null
            : cardText({ brand: team.card_brand, last4: team.card_last4 }),
      })),
    },
  };
};
