import { lockAiModel } from '../../../db/ai/aiModels';
import { deleteTeamUpstreams } from '../../../db/ai/teamModels';
import { removeRow } from '../../core/admin/resource';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const deleteAdminAiModel: Handler<'deleteAdminAiModel'> = ({ path, ctx }) =>
  removeRow(ctx, aiModels, path.id, {
    kind: 'ai_model',
    table: 'ai_models',
    lock: lockAiModel,
    async check(trx, { team_id, upstreams }) {
      // Nobody but the team has a use for the API key stored there.
      if (team_id !== null && upstreams.length > 0)
        await deleteTeamUpstreams(
          trx,
          team_id,
          upstreams.map(({ upstream_id }) => upstream_id),
        );
    },
    kept: ['model', 'state', 'input_price_micros', 'output_price_micros', 'upstreams'],
  });
