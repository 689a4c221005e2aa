import type { Handler } from '../../types';
import { decide } from './decision';

export const reinstateAdminAbuseReport: Handler<'reinstateAdminAbuseReport'> = ({ path, body, ctx }) =>
  decide(ctx, path.id, { action: 'reinstate', reason: body.reason });
