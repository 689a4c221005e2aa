import type { Handler } from '../../types';
import { actOnCvm } from './actions';

export const startCvm: Handler<'startCvm'> = ({ path, ctx }) => actOnCvm(ctx, path.cvm_id, 'start');
