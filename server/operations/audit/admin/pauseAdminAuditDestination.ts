import type { Handler } from '../../types';
import { setDestinationState } from './destination';

export const pauseAdminAuditDestination: Handler<'pauseAdminAuditDestination'> = ({ path, ctx }) =>
  setDestinationState(ctx, path.id, 'paused');
