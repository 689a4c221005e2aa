import { lockAiModel } from '../../../db/ai/aiModels';
import { removeRow } from '../../core/admin/resource';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const deleteAdminAiModel: Handler<'deleteAdminAiModel'> = ({ path, ctx }) =>
  removeRow(ctx, aiModels, path.id, {
    kind: 'ai_model',
    table: 'ai_models',
    lock: lockAiModel,
    kept: ['model', 'state', 'input_price_micros', 'output_price_micros', 'upstreams'],
  });
