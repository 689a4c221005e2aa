import { lockPromotionCode } from '../../../db/billing/promotionCodes';
import { invalid } from '../../core/invalid';
import { changeRow } from '../../core/admin/resource';
import { promotionCodes } from '../../core/admin/resourcesBilling';
import type { Handler } from '../../types';
import { formatUsd } from '../../../../console/lib/billing/money';
import { counted } from '../../../../console/lib/texts/count';
import { widenedWorth } from '../../../../console/lib/billing/worth';
import { approvalFor } from '../approvals/approval';
import { timesText } from './createAdminPromotionCode';
import { checkWelcome, checkWindow } from './promotionWindow';
import { checkTexts } from '../../core/text';

const time = (text: string | null | undefined) =>
  text === undefined ? undefined : text === null ? null : new Date(text);

export const updateAdminPromotionCode: Handler<'updateAdminPromotionCode'> = async ({ path, body, ctx }) =>
  changeRow(ctx, promotionCodes, path.id, {
    kind: 'promotion_code',
    patch: { ...body, starts_at: time(body.starts_at), ends_at: time(body.ends_at) },
    lock: lockPromotionCode,
    async check(_trx, changes, before) {
      checkTexts(body, ['description']);
      const after = { ...before, ...changes };
      checkWindow(after);
      checkWelcome(after);
      if (after.max_uses !== null && after.max_uses < before.uses)
        throw invalid(
          'max_uses',
          `The code has already been redeemed ${counted(before.uses, ['time', 'times'])}.`,
        );
    },
    approval(write, changes, before) {
      const after = { ...before, ...changes };
      return approvalFor(ctx, write, {
        action: 'widen_promotion_code',
        path: { ...path },
        body: { ...body },
        team_id: null,
        target: before.code,
        amount_micros: widenedWorth(before, after, new Date()),
        reason: `${formatUsd(after.amount_micros ?? after.cap_micros ?? 0)} per use, ${timesText(after.max_uses)}, redeemed ${counted(before.uses, ['time', 'times'])} so far`,
      });
    },
    write: (trx, changes) =>
      trx.updateTable('promotion_codes').set(changes).where('id', '=', path.id).execute(),
  });
