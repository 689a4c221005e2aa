import { readOf } from '../../core/admin/resource';
import { aiKeys } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const getAdminAiKey: Handler<'getAdminAiKey'> = readOf(aiKeys);
