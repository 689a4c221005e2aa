import type { OperationType } from '../../domain/cvmStates';
import { toVm } from '../../domain/wire/cvm';
import type { Context, Handler } from '../types';
import { changeCvm } from './change';

const act = (ctx: Context, cvm_id: string, type: OperationType, payload = {}) =>
  changeCvm(ctx, {
    cvm_id,
    type,
    payload: async () => payload,
    reply: (row, operation) => ({ status: 200 as const, body: toVm(row, operation) }),
  });

export const startCvm: Handler<'startCvm'> = ({ path, ctx }) => act(ctx, path.cvm_id, 'start');

/** Hard stop, as pulling the plug. */
export const stopCvm: Handler<'stopCvm'> = ({ path, ctx }) => act(ctx, path.cvm_id, 'stop');

/** Graceful: the guest shuts its containers down; after a minute without an answer it is stopped hard. */
export const shutdownCvm: Handler<'shutdownCvm'> = ({ path, ctx }) => act(ctx, path.cvm_id, 'shutdown');

export const restartCvm: Handler<'restartCvm'> = ({ path, body, ctx }) =>
  act(ctx, path.cvm_id, 'restart', { force: body.force ?? false });
