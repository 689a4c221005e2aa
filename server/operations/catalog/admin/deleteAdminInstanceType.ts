import { instanceTypeUse, lockInstanceType } from '../../../db/catalog/adminInstanceTypes';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { someOf } from '../../core/admin/change';
import { removeRow } from '../../core/admin/resource';
import { instanceTypes } from '../../core/admin/resources';

export const deleteAdminInstanceType: Handler<'deleteAdminInstanceType'> = ({ path, ctx }) =>
  removeRow(ctx, instanceTypes, path.id, {
    kind: 'instance_type',
    table: 'instance_types',
    lock: lockInstanceType,
    async check(trx, type) {
      const use = await instanceTypeUse(trx, type.id);
      if (use.cvm_total > 0 || use.provisions > 0 || use.products > 0)
        throw new Problem('IN_USE', {
          message:
            use.cvm_total > 0
              ? `${use.cvm_total === 1 ? 'One CVM has' : `${use.cvm_total} CVMs have`} this size: ${someOf(use.cvms, use.cvm_total)}.`
              : use.provisions === 0
                ? `${use.products === 1 ? 'One product reserves' : `${use.products} products reserve`} this size.`
                : `${use.provisions === 1 ? 'One deployment' : `${use.provisions} deployments`} of this size ${use.provisions === 1 ? 'is' : 'are'} being prepared.`,
          suggestions: ["Set its state to retired. Existing CVMs keep it, and new ones can't choose it."],
        });
    },
    kept: ['family', 'name', 'vcpu', 'memory_mb', 'hourly_rate_micros', 'state'],
  });
