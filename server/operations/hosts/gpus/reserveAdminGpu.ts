import type { Handler } from '../../types';
import { invalid } from '../../core/invalid';
import { changeGpu, conflict, holderText } from './changeGpu';

export const reserveAdminGpu: Handler<'reserveAdminGpu'> = async ({ path, body, ctx }) =>
  changeGpu(ctx, path.id, {
    action: 'gpu.reserve',
    after: { team_id: body.team_id },
    async work(trx, gpu, holder) {
      const teams = await trx
        .selectFrom('teams')
        .select(['id', 'name'])
        .where('id', 'in', [body.team_id, gpu.reserved_team_id ?? body.team_id])
        .where('deleted_at', 'is', null)
        .execute();
      const named = (id: number | null) => teams.find((team) => team.id === id);
      const wanted = named(body.team_id);
      if (!wanted) throw invalid('team_id', `There is no team ${body.team_id}.`);
      const has = named(gpu.reserved_team_id);
      if (has)
        throw conflict(`The GPU ${gpu.slot} is already reserved for ${has.name}.`, 'Release it first.');
      if (gpu.fault !== null)
        throw conflict(`The GPU ${gpu.slot} is faulty: ${gpu.fault}`, 'Repair it first, or reserve another.');
      if (holder && holder.team_id !== body.team_id)
        throw conflict(
          `The GPU ${gpu.slot} is ${holderText(holder)}.`,
          `Reserve another, or detach this one before you reserve it for ${wanted.name}.`,
        );
      return { reserved_team_id: body.team_id };
    },
  });
