import { setOrder, termsOf } from '../../../db/billing/orders/orders';
import { renewAt } from '../../../domain/billing/orders/order';
import { Problem } from '../../../domain/core/problem';
import { holdTeam } from '../../core/caller';
import type { Handler } from '../../types';
import { checkOpen, heldOrder, orderReply } from './orderReply';

export const updateOrder: Handler<'updateOrder'> = async ({ path, body: { renews }, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const now = new Date();
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const { order, product } = await heldOrder(trx, team.id, path.order_id);
    checkOpen(order, now);
    if (renews && (product.state === 'retired' || product.version !== order.product_version))
      throw new Problem('ORDER_STATE', {
        message:
          product.state === 'retired'
            ? `${order.name} is no longer offered, so it can't be renewed.`
            : `The price or rules of ${order.name} have changed. Order it again when this reservation ends.`,
      });
    const current = (await termsOf(trx, order.id, now)).at(-1);
    await setOrder(trx, order.id, {
      renews,
      renew_at: renews && current ? renewAt(current) : null,
      renewal_told: [],
    });
    await audit({
      action: 'order.update',
      target_kind: 'order',
      target_id: order.public_id,
      before: { renews: order.renews },
      after: { renews },
    });
    return orderReply(trx, team.id, order.public_id);
  });
