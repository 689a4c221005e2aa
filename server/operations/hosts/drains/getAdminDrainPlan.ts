import { drainPlan } from '../../../db/hosts/drains';
import { mayMoveEach } from '../../../domain/cvms/movable';
import type { Handler } from '../../types';
import { teepodOr404 } from '../teepod';

export const getAdminDrainPlan: Handler<'getAdminDrainPlan'> = async ({ path, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const rows = await drainPlan(ctx.db, teepod.id);
  const cvms = await mayMoveEach(rows);
  return {
    status: 200,
    body: {
      total: rows[0]?.total ?? 0,
      cvms: cvms.map(({ cvm, allowed, why }) => ({
        vm_uuid: cvm.vm_uuid,
        name: cvm.name,
        team_name: cvm.team_name,
        team_slug: cvm.team_slug,
        status: cvm.status,
        can_move: allowed,
        reason: why.text,
        reason_keys: [...why.keys],
      })),
    },
  };
};
