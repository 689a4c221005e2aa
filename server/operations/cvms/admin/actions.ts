import { adminOne } from '../../../db/core/adminList';
import { adminCvms } from '../../../db/cvms/adminCvms';
import { findCvmOfAnyTeam } from '../../../db/cvms/cvmLookup';
import type { OperationType } from '../../../domain/cvms/cvmStates';
import { Problem } from '../../../domain/core/problem';
import { adminCvmOut } from '../../../domain/platform/adminListResponse';
import { changeCvm } from '../settings/change';
import type { Context } from '../../types';

/**
 * Starts a power operation on any team's CVM, under the team's own rules and with an entry in the team's
 * audit log.
 */
export async function actOnAdminCvm(ctx: Context, id: string, type: OperationType) {
  const { vm_uuid, team_id } = await findCvmOfAnyTeam(ctx.db, id);
  return changeCvm(ctx, {
    cvm_id: vm_uuid,
    team_id,
    type,
    async reply(_row, _operation, { trx }) {
      const cvm = await adminOne(trx, adminCvms, vm_uuid);
      if (!cvm) throw new Problem('CVM_NOT_FOUND');
      return { status: 200 as const, body: adminCvmOut(cvm) };
    },
  });
}
