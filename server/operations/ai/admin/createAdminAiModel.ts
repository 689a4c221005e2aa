import { namingConflict } from '../../core/admin/change';
import type { Handler } from '../../types';
import { addModel, MODEL_NAMES, modelValues } from './model';
import { checkTexts } from '../../core/text';

export const createAdminAiModel: Handler<'createAdminAiModel'> = async ({ body, ctx }) => {
  checkTexts(body, ['name', 'description']);
  const { upstreams, ...given } = body;
  const values = modelValues(given);
  return namingConflict(MODEL_NAMES, () => ctx.write((write) => addModel(write, values, upstreams)));
};
