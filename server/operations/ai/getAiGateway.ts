import { offeredModels } from '../../db/ai/aiModels';
import { aiModelOut } from '../../domain/ai/aiResponse';
import type { Handler } from '../types';

export const getAiGateway: Handler<'getAiGateway'> = async ({ ctx }) => ({
  status: 200,
  body: {
    base_url: new URL('/v1', ctx.config.publicUrl).href,
    is_in_tee: false,
    models: (await offeredModels(ctx.db)).map(aiModelOut),
  },
});
