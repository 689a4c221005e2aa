import { formatMicros } from '../../../console/lib/billing/money';
import type { WaitingBonus } from '../../../generated/api/types.gen';
import { redeem, usedUpBy } from '../../db/billing/promotionCodes';
import { creditOut } from '../../domain/billing/billingResponse';
import { Problem } from '../../domain/core/problem';
import { holdTeam, userOf } from '../core/caller';
import { countingPromotionCodes } from '../core/guessing';
import type { Handler } from '../types';

export const bonusOut = (row: {
  code: string;
  percent: number | null;
  cap_micros: number | null;
}): WaitingBonus => ({ code: row.code, percent: row.percent ?? 0, cap: formatMicros(row.cap_micros ?? 0) });

export const redeemPromotionCode: Handler<'redeemPromotionCode'> = countingPromotionCodes(({ body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const redeemed = await redeem(trx, { code: body.code, team_id: team.id, user_id: userOf(ctx).id });
    if (!redeemed) {
      const used = await usedUpBy(trx, { code: body.code, team_id: team.id });
      throw new Problem(
        'PROMOTION_CODE_UNUSABLE',
        used === null
          ? { message: 'This code isn’t valid for your team.' }
          : { message: `Your team already redeemed ${used}.`, suggestions: [] },
      );
    }
    const { code, grant } = redeemed;
    await audit({
      action: 'promotion_code.redeem',
      target_kind: 'promotion_code',
      target_id: code.code,
      after: grant
        ? { credit: grant.public_id, amount: formatMicros(grant.amount_micros) }
        : { percent: code.percent },
    });
    return {
      status: 201,
      body: grant
        ? { credit: creditOut(grant, new Date()), bonus: null }
        : { credit: null, bonus: bonusOut(code) },
    } as const;
  }),
);
