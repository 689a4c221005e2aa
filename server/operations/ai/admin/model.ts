import type {
  AdminAiModelPatch,
  AiModelUpstream,
  CreateAdminAiModel,
} from '../../../../generated/api/types.gen';
import { parseMicros } from '../../../../console/lib/billing/money';
import { holdAiUpstreams } from '../../../db/ai/aiUpstreams';
import type { Tx } from '../../../db/core/client';
import { adminAiModelOut } from '../../../domain/ai/adminAiResponse';
import { ECHO } from '../../../domain/ai/models';
import { etagOf, keysOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Write } from '../../types';
import { toJson } from '../../../db/core/json';

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

/**
 * @throws VALIDATION_FAILED if an upstream is unknown, repeated, or a team's: those serve only that team's models
 */
export async function checkUpstreams(trx: Tx, upstreams: readonly AiModelUpstream[]): Promise<void> {
  const ids = upstreams.map(({ upstream_id }) => upstream_id);
  const known = await holdAiUpstreams(trx, ids);
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw invalid('upstreams', `There is no AI upstream ${unknown}, or it belongs to a team.`);
  if (known.size < ids.length) throw invalid('upstreams', 'Name each upstream once.');
}

/** Returns a model's columns, with its upstreams separate. @throws VALIDATION_FAILED */
export function modelValues({
  input_price,
  cached_input_price = input_price,
  output_price,
  ...rest
}: Omit<CreateAdminAiModel, 'upstreams'>) {
  checkModelId(rest);
  return {
    ...rest,
    description: rest.description ?? '',
    endpoints: rest.endpoints ?? ['chat.completions' as const],
    input_modalities: rest.input_modalities ?? [],
    output_modalities: rest.output_modalities ?? [],
    input_price_micros: priceMicros(input_price, 'input_price'),
    cached_input_price_micros: priceMicros(cached_input_price, 'cached_input_price'),
    output_price_micros: priceMicros(output_price, 'output_price'),
  };
}

/** Adds a model and its entry in the platform's log. @returns the reply @throws VALIDATION_FAILED */
export async function addModel(
  { trx, audit }: Write,
  values: ReturnType<typeof modelValues>,
  upstreams: readonly AiModelUpstream[],
) {
  await checkUpstreams(trx, upstreams);
  const row = await trx
    .insertInto('ai_models')
    .values({ ...values, upstreams: toJson(upstreams) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit({
    action: 'ai_model.create',
    target_kind: 'ai_model',
    target_id: String(row.id),
    team_id: null,
    after: keysOf(row, [...Object.keys(values), 'upstreams']),
  });
  return {
    status: 201,
    headers: { ETag: etagOf(aiModels.name, row.id, row.updated_at) },
    body: adminAiModelOut(row),
  } as const;
}
