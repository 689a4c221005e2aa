import { adminOne } from '../../../db/core/adminList';
import { adminCvms } from '../../../db/cvms/adminCvms';
import { findCvmOfAnyTeam } from '../../../db/cvms/cvmLookup';
import { Problem } from '../../../domain/core/problem';
import { adminCvmOut } from '../../../domain/platform/adminListResponse';
import type { Handler } from '../../types';
import { giveUp } from '../lifecycle/giveUp';

/** With an entry in the team's audit log, like every action on a team's CVM. */
export const giveUpAdminCvm: Handler<'giveUpAdminCvm'> = async ({ path, body, ctx }) => {
  const { vm_uuid, team_id } = await findCvmOfAnyTeam(ctx.db, path.id);
  return giveUp(ctx, {
    cvm_id: vm_uuid,
    team_id,
    name: body.name,
    async reply(_row, _operation, { trx }) {
      const cvm = await adminOne(trx, adminCvms, vm_uuid);
      if (!cvm) throw new Problem('CVM_NOT_FOUND');
      return { status: 200 as const, body: adminCvmOut(cvm) };
    },
  });
};
