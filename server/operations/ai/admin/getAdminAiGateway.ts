import { readOf } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const getAdminAiGateway: Handler<'getAdminAiGateway'> = readOf(aiGateways);
