import type { Handler } from '../../types';
import { decide } from './decision';

export const delistAdminAbuseReport: Handler<'delistAdminAbuseReport'> = ({ path, body, ctx }) =>
  decide(ctx, path.id, { action: 'delist', reason: body.reason });
