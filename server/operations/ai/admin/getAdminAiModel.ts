import { readOf } from '../../core/admin/resource';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const getAdminAiModel: Handler<'getAdminAiModel'> = readOf(aiModels);
