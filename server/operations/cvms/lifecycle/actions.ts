import type { OperationType } from '../../../domain/cvms/cvmStates';
import { toVm } from '../../../domain/cvms/vmResponse';
import type { Context } from '../../types';
import { changeCvm } from '../settings/change';

/** Starts a power operation on a CVM and returns the CVM. */
export const actOnCvm = (ctx: Context, cvm_id: string, type: OperationType, payload = {}) =>
  changeCvm(ctx, {
    cvm_id,
    type,
    payload: async () => payload,
    reply: (row, operation) => ({ status: 200 as const, body: toVm(row, operation) }),
  });
