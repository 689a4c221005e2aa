import { listOf } from '../../core/admin/resource';
import { aiUpstreams } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const listAdminAiUpstreams: Handler<'listAdminAiUpstreams'> = listOf(aiUpstreams);
