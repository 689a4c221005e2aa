import { aiModelOut } from '../../domain/ai/aiResponse';
import { SERVED_MODELS } from '../../domain/ai/models';
import type { Handler } from '../types';

export const getAiGateway: Handler<'getAiGateway'> = ({ ctx }) =>
  Promise.resolve({
    status: 200,
    body: {
      base_url: new URL('/v1', ctx.config.publicUrl).href,
      is_in_tee: false,
      models: SERVED_MODELS.map(aiModelOut),
    },
  });
