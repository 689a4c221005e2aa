import type { Handler } from '../../types';
import { decide } from './decision';

export const dismissAdminAbuseReport: Handler<'dismissAdminAbuseReport'> = ({ path, body, ctx }) =>
  decide(ctx, path.id, { action: 'dismiss', reason: body.reason });
