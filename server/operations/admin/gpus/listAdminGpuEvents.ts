import type { Handler } from '../../types';
import { listOf } from '../resource';
import { gpuEvents } from '../resourcesGpus';

export const listAdminGpuEvents: Handler<'listAdminGpuEvents'> = listOf(gpuEvents);
