import { adminAiModelOut } from '../../../domain/ai/adminAiResponse';
import { etagOf, keysOf, namingConflict } from '../../core/admin/change';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';
import { checkModelId, checkUpstreams, MODEL_NAMES, priceMicros } from './model';

export const createAdminAiModel: Handler<'createAdminAiModel'> = async ({ body, ctx }) => {
  const { input_price, cached_input_price = input_price, output_price, upstreams, ...rest } = body;
  checkModelId(body);
  const values = {
    ...rest,
    description: rest.description ?? '',
    endpoints: rest.endpoints ?? ['chat.completions' as const],
    input_price_micros: priceMicros(input_price, 'input_price'),
    cached_input_price_micros: priceMicros(cached_input_price, 'cached_input_price'),
    output_price_micros: priceMicros(output_price, 'output_price'),
  };
  return namingConflict(MODEL_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      await checkUpstreams(trx, upstreams);
      const row = await trx
        .insertInto('ai_models')
        .values({ ...values, upstreams: JSON.stringify(upstreams) })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit({
        action: 'ai_model.create',
        target_kind: 'ai_model',
        target_id: String(row.id),
        after: keysOf(row, [...Object.keys(values), 'upstreams']),
      });
      return {
        status: 201,
        headers: { ETag: etagOf(aiModels.name, row.id, row.updated_at) },
        body: adminAiModelOut(row),
      } as const;
    }),
  );
};
