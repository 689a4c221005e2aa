import { adminOne } from '../../../db/adminList';
import { adminCvms } from '../../../db/adminCvms';
import { findCvmOfAnyTeam } from '../../../db/cvmLookup';
import type { OperationType } from '../../../domain/cvmStates';
import { Problem } from '../../../domain/problem';
import { adminCvmOut } from '../../../domain/wire/adminLists';
import { changeCvm } from '../../cvms/change';
import type { Context, Handler } from '../../types';

/** What the team's own people would do, done by staff: the same rules, and an entry in the team's audit log. */
async function act(ctx: Context, id: string, type: OperationType) {
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

export const startAdminCvm: Handler<'startAdminCvm'> = ({ path, ctx }) => act(ctx, path.id, 'start');

/** Graceful, as `shutdownCvm`. */
export const shutdownAdminCvm: Handler<'shutdownAdminCvm'> = ({ path, ctx }) => act(ctx, path.id, 'shutdown');

/** Hard, as `stopCvm`. */
export const stopAdminCvm: Handler<'stopAdminCvm'> = ({ path, ctx }) => act(ctx, path.id, 'stop');

export const restartAdminCvm: Handler<'restartAdminCvm'> = ({ path, ctx }) => act(ctx, path.id, 'restart');
