import { listOf } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const listAdminAiGateways: Handler<'listAdminAiGateways'> = listOf(aiGateways);
