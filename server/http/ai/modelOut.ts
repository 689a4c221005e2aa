import { outputsOf } from '../../../console/lib/ai/modalities';
import { modalityText } from '../../domain/ai/modalities';
import type { ServedModel } from '../../domain/ai/models';
import { formatPicos } from '../../domain/ai/usage';

/** Converts micro-dollars per million tokens to USD per token, exactly. */
const perToken = (price: number) => formatPicos(BigInt(price));

/**
 * Returns a model as OpenAI clients read it, with the additional fields of model catalogs.
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
  ...modalitiesOut(model),
  pricing: {
    prompt: perToken(model.prices.input),
    completion: perToken(model.prices.output),
    input_cache_read: perToken(model.prices.cached_input),
  },
  is_tee,
});

/**
 * Returns what a model reads and writes as catalogs of models do: some clients read these members, others
 * `architecture`. Both leave out what isn't known.
 */
function modalitiesOut(model: ServedModel) {
  const { input_modalities } = model;
  const output_modalities = outputsOf(model);
  if (input_modalities.length === 0) return { output_modalities };
  return {
    input_modalities,
    output_modalities,
    architecture: {
      modality: modalityText(input_modalities, output_modalities),
      input_modalities,
      output_modalities,
    },
  };
}
