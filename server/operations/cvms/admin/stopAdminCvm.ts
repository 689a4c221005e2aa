import type { Handler } from '../../types';
import { actOnAdminCvm } from './actions';

/** Immediate, like `stopCvm`. */
export const stopAdminCvm: Handler<'stopAdminCvm'> = ({ path, ctx }) => actOnAdminCvm(ctx, path.id, 'stop');
