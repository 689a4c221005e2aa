import type { Handler } from '../../types';
import { actOnCvm } from './actions';

/** Stops the VM immediately, like cutting its power. */
export const stopCvm: Handler<'stopCvm'> = ({ path, ctx }) => actOnCvm(ctx, path.cvm_id, 'stop');
