import type { Handler } from '../../types';
import { actOnCvm } from './actions';

export const restartCvm: Handler<'restartCvm'> = ({ path, body, ctx }) =>
  actOnCvm(ctx, path.cvm_id, 'restart', { force: body.force ?? false });
