import type { Handler } from '../../types';
import { readOf } from '../resource';
import { gpuEvents } from '../resourcesGpus';

export const getAdminGpuEvent: Handler<'getAdminGpuEvent'> = readOf(gpuEvents);
