import { formatMicros } from '../../../console/lib/billing/money';
import { runwayOfTeam } from '../../db/billing/orders/rateChanges';
import { waitingBonuses, welcomeOffer } from '../../db/billing/promotionCodes';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { bonusOut } from './redeemPromotionCode';
import { welcomeOut } from '../../domain/billing/billingResponse';

const MAX_BONUSES = 100;

export const getBilling: Handler<'getBilling'> = async ({ ctx }) => {
  const { id } = teamOf(ctx);
  const now = new Date();
  const [{ current, changes, seconds }, bonuses, welcome] = await Promise.all([
    runwayOfTeam(ctx.db, id, now),
    waitingBonuses(ctx.db, id, MAX_BONUSES),
    welcomeOffer(ctx.db, { team_id: id, user_id: ctx.caller.user?.id ?? null }),
  ]);
  const { balance, prepaid, credits, accrued, hourly, expiring } = current;
  return {
    status: 200,
    body: {
      as_of: now.toISOString(),
      balance: formatMicros(balance),
      prepaid: formatMicros(prepaid),
      credits: formatMicros(credits),
      accrued: formatMicros(accrued),
      hourly_rate: formatMicros(hourly),
      rate_changes: changes.map(({ at, more }) => ({
        at: at.toISOString(),
        hourly_rate: formatMicros(more),
      })),
      runway_seconds: seconds,
      credits_expire: expiring && {
        amount: formatMicros(expiring.amount),
        expires_at: expiring.expires_at.toISOString(),
      },
      bank_transfer: ctx.config.bank,
      card_payments: ctx.cards !== null,
      usdc_payments: ctx.config.usdc !== null,
      waiting_bonuses: bonuses.map(bonusOut),
      welcome_credit: welcome && welcomeOut(welcome),
    },
  };
};
