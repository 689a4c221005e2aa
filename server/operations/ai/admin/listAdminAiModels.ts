import { listOf } from '../../core/admin/resource';
import { aiModels } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const listAdminAiModels: Handler<'listAdminAiModels'> = listOf(aiModels);
