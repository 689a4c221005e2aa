import { toVm } from '../../../domain/cvms/vmResponse';
import type { Handler } from '../../types';
import { giveUp } from './giveUp';

export const giveUpCvm: Handler<'giveUpCvm'> = ({ path, body, ctx }) =>
  giveUp(ctx, {
    cvm_id: path.cvm_id,
    name: body.name,
    reply: (row, operation) => ({ status: 200 as const, body: toVm(row, operation) }),
  });
