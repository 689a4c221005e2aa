import type { Handler } from '../../types';
import { actOnAdminCvm } from './actions';

/** Graceful, like `shutdownCvm`. */
export const shutdownAdminCvm: Handler<'shutdownAdminCvm'> = ({ path, ctx }) =>
  actOnAdminCvm(ctx, path.id, 'shutdown');
