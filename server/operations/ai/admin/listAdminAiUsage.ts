import { listOf } from '../../core/admin/resource';
import { aiUsage } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const listAdminAiUsage: Handler<'listAdminAiUsage'> = listOf(aiUsage);
