import type { Handler } from '../../types';
import { changeGpu, conflict } from './changeGpu';

/** Ends a team's reservation; a CVM that has the GPU keeps it. */
export const releaseAdminGpu: Handler<'releaseAdminGpu'> = async ({ path, ctx }) =>
  changeGpu(ctx, path.id, {
    action: 'gpu.release',
    before: (gpu) => ({ team_id: gpu.reserved_team_id }),
    async work(_, gpu) {
      if (gpu.reserved_team_id === null) throw conflict(`The GPU ${gpu.slot} isn't reserved for a team.`);
      return { reserved_team_id: null };
    },
  });
