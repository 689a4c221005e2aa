import { lockPromotionCode } from '../../../db/billing/promotionCodes';
import { invalid } from '../../core/admin/change';
import { changeRow } from '../../core/admin/resource';
import { promotionCodes } from '../../core/admin/resourcesBilling';
import type { Handler } from '../../types';
import { checkWindow } from './promotionWindow';
import { counted } from '../../../../console/lib/texts/count';

const time = (text: string | null | undefined) =>
  text === undefined ? undefined : text === null ? null : new Date(text);

export const updateAdminPromotionCode: Handler<'updateAdminPromotionCode'> = async ({ path, body, ctx }) =>
  changeRow(ctx, promotionCodes, path.id, {
    kind: 'promotion_code',
    patch: { ...body, starts_at: time(body.starts_at), ends_at: time(body.ends_at) },
    lock: lockPromotionCode,
    async check(_trx, changes, before) {
      const after = { ...before, ...changes };
      checkWindow(after);
      if (after.max_uses !== null && after.max_uses < before.uses)
        throw invalid(
          'max_uses',
          `The code was redeemed ${counted(before.uses, ['time', 'times'])} already.`,
        );
    },
    write: (trx, changes) =>
      trx.updateTable('promotion_codes').set(changes).where('id', '=', path.id).execute(),
  });
