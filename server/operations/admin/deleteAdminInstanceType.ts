import { instanceTypeUse, lockInstanceType } from '../../db/adminInstanceTypes';
import { Problem } from '../../domain/problem';
import type { Handler } from '../types';
import { keysOf, someOf } from './change';

export const deleteAdminInstanceType: Handler<'deleteAdminInstanceType'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const type = await lockInstanceType(trx, path.id);
    if (!type) throw new Problem('NOT_FOUND', { message: `There is no instance type ${path.id}.` });
    const use = await instanceTypeUse(trx, type.id);
    if (use.cvm_total > 0 || use.provisions > 0)
      throw new Problem('IN_USE', {
        message:
          use.cvm_total > 0
            ? `${use.cvm_total === 1 ? 'One CVM has' : `${use.cvm_total} CVMs have`} this size: ${someOf(use.cvms, use.cvm_total)}.`
            : `${use.provisions === 1 ? 'One deployment' : `${use.provisions} deployments`} of this size ${use.provisions === 1 ? 'is' : 'are'} being prepared.`,
        suggestions: ['Set its state to retired: it stays for what runs, and no new CVM can choose it.'],
      });
    await trx.deleteFrom('instance_types').where('id', '=', type.id).execute();
    await audit({
      action: 'instance_type.delete',
      target_kind: 'instance_type',
      target_id: type.id,
      before: keysOf(type, ['family', 'name', 'vcpu', 'memory_mb', 'hourly_rate_micros', 'state']),
    });
    return { status: 204 } as const;
  });
