import { offers } from '../../../db/billing/orders/orderLists';
import { offerOut } from '../../../domain/billing/orders/orderResponse';
import type { Handler } from '../../types';

export const listOrderProducts: Handler<'listOrderProducts'> = async ({ ctx }) => ({
  status: 200,
  body: { items: (await offers(ctx.db, new Date())).map(offerOut) },
});
