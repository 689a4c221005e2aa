import { readOf } from '../../core/admin/resource';
import { aiUsage } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const getAdminAiUsage: Handler<'getAdminAiUsage'> = readOf(aiUsage);
