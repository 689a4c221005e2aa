import type { Handler } from '../../types';
import { setDestinationState } from './destination';

export const resumeAdminAuditDestination: Handler<'resumeAdminAuditDestination'> = ({ path, ctx }) =>
  setDestinationState(ctx, path.id, 'active');
