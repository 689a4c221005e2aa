import { lockAiModel } from '../../../db/ai/aiModels';
import type { AiModelRow } from '../../../db/ai/aiTables';
import { namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { changeRow } from '../../core/admin/resource';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';
import { checkModelId, checkUpstreams, MODEL_NAMES, priceMicros } from './model';
import { checkTexts } from '../../core/text';
import { toJson } from '../../../db/core/json';

export const updateAdminAiModel: Handler<'updateAdminAiModel'> = ({ path, body, ctx }) => {
  checkTexts(body, ['name', 'description']);
  const { input_price, cached_input_price, output_price, ...rest } = body;
  checkModelId(body);
  return namingConflict(MODEL_NAMES, () =>
    changeRow(ctx, aiModels, path.id, {
      kind: 'ai_model',
      patch: {
        ...rest,
        ...(input_price === undefined ? {} : { input_price_micros: priceMicros(input_price, 'input_price') }),
        ...(cached_input_price === undefined
          ? {}
          : { cached_input_price_micros: priceMicros(cached_input_price, 'cached_input_price') }),
        ...(output_price === undefined
          ? {}
          : { output_price_micros: priceMicros(output_price, 'output_price') }),
      },
      lock: lockAiModel,
      async check(trx, changes, before) {
        checkOwner(before, changes);
        if (changes.upstreams) await checkUpstreams(trx, changes.upstreams);
      },
      write: (trx, { upstreams, ...changes }) =>
        trx
          .updateTable('ai_models')
          .set({ ...changes, ...(upstreams ? { upstreams: toJson(upstreams) } : {}) })
          .where('id', '=', path.id)
          .execute(),
    }),
  );
};

/**
 * Administrators may only enable or disable a team's model. @throws VALIDATION_FAILED for any other field, which
 * only the team may change
 */
function checkOwner({ team_id }: AiModelRow, { state, ...others }: Partial<AiModelRow>): void {
  const [other] = Object.keys(others);
  if (team_id !== null && other !== undefined)
    throw invalid(other.replace(/_micros$/, ''), 'Only the model’s team can change this.');
  const offered = team_id === null ? 'active' : 'team';
  if (state !== undefined && state !== 'disabled' && state !== offered)
    throw invalid('state', `This model can be ${offered} or disabled.`);
}
