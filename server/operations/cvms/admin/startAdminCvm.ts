import type { Handler } from '../../types';
import { actOnAdminCvm } from './actions';

export const startAdminCvm: Handler<'startAdminCvm'> = ({ path, ctx }) =>
  actOnAdminCvm(ctx, path.id, 'start');
