import type { Handler } from '../../types';
import { actOnCvm } from './actions';

/** Lets the guest stop its containers first. If it doesn't respond within a minute, the VM is stopped. */
export const shutdownCvm: Handler<'shutdownCvm'> = ({ path, ctx }) => actOnCvm(ctx, path.cvm_id, 'shutdown');
