import type { Handler } from '../../types';
import { actOnAdminCvm } from './actions';

export const restartAdminCvm: Handler<'restartAdminCvm'> = ({ path, ctx }) =>
  actOnAdminCvm(ctx, path.id, 'restart');
