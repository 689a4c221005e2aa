import { lockAiModel } from '../../../db/ai/aiModels';
import { namingConflict } from '../../core/admin/change';
import { changeRow } from '../../core/admin/resource';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';
import { checkModelId, checkUpstreams, MODEL_NAMES, priceMicros } from './model';

export const updateAdminAiModel: Handler<'updateAdminAiModel'> = ({ path, body, ctx }) => {
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
      async check(trx, changes) {
        if (changes.upstreams) await checkUpstreams(trx, changes.upstreams);
      },
      write: (trx, { upstreams, ...changes }) =>
        trx
          .updateTable('ai_models')
          .set({ ...changes, ...(upstreams ? { upstreams: JSON.stringify(upstreams) } : {}) })
          .where('id', '=', path.id)
          .execute(),
    }),
  );
};
