import { readOf } from '../../core/admin/resource';
import { aiUpstreams } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const getAdminAiUpstream: Handler<'getAdminAiUpstream'> = readOf(aiUpstreams);
