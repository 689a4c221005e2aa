import type { ServedModel } from '../../domain/ai/models';
import { formatPicos } from '../../domain/ai/usage';

/** Micro-dollars per million tokens as USD per token, exact. */
const perToken = (price: number) => formatPicos(BigInt(price));

/**
 * A model as OpenAI clients read it, with what catalogs of models add.
 * @param is_tee whether the gateway that lists it can serve it from a TEE that it verifies
 */
export const modelOut = (model: ServedModel, is_tee: boolean) => ({
  id: model.id,
  object: 'model',
  created: Math.floor(model.created_at.getTime() / 1000),
  owned_by: 'teehouse',
  name: model.name,
  description: model.description,
  context_length: model.context_length,
  pricing: {
    prompt: perToken(model.prices.input),
    completion: perToken(model.prices.output),
    input_cache_read: perToken(model.prices.cached_input),
  },
  is_tee,
});
