import type { AdminAiModelPatch, AiModelUpstream } from '../../../../generated/api/types.gen';
import { parseMicros } from '../../../../console/lib/billing/money';
import { holdAiUpstreams } from '../../../db/ai/aiUpstreams';
import type { Tx } from '../../../db/core/client';
import { ECHO } from '../../../domain/ai/models';
import { invalid } from '../../core/admin/change';

export const MODEL_NAMES = {
  ai_models_model_key: { field: 'model', message: 'A model with this ID already exists.' },
};

type Price = 'input_price' | 'cached_input_price' | 'output_price';

/** Returns micro-dollars per million tokens. @throws VALIDATION_FAILED */
export function priceMicros(decimal: string, field: Price): number {
  const micros = parseMicros(decimal);
  if (micros === null) throw invalid(field, 'Enter at most six decimal places.');
  return micros;
}

/** @throws VALIDATION_FAILED for the built-in model's ID */
export function checkModelId({ model }: Pick<AdminAiModelPatch, 'model'>): void {
  if (model === ECHO.id) throw invalid('model', 'The built-in model has this ID.');
}

/** @throws VALIDATION_FAILED unless each upstream exists and is named once */
export async function checkUpstreams(trx: Tx, upstreams: readonly AiModelUpstream[]): Promise<void> {
  const ids = upstreams.map(({ upstream_id }) => upstream_id);
  const known = await holdAiUpstreams(trx, ids);
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalid('upstreams', `There is no AI upstream ${unknown}.`);
  if (known.size < ids.length) throw invalid('upstreams', 'Name each upstream once.');
}
