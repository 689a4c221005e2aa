import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { orderReply } from './orderReply';

export const getOrder: Handler<'getOrder'> = ({ path, ctx }) =>
  orderReply(ctx.db, teamOf(ctx).id, path.order_id);
