import { toVm } from '../../../domain/cvms/vmResponse';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { giveUp } from './giveUp';

export const giveUpCvm: Handler<'giveUpCvm'> = ({ path, body, ctx }) =>
  giveUp(ctx, {
    cvm_id: path.cvm_id,
    team_id: teamOf(ctx).id,
    name: body.name,
    reply: (row, operation) => ({ status: 200 as const, body: toVm(row, operation) }),
  });
