import { listOf } from '../../core/admin/resource';
import { aiKeys } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const listAdminAiKeys: Handler<'listAdminAiKeys'> = listOf(aiKeys);
