import type { Handler } from '../../types';
import { readOf } from '../resource';
import { gpus } from '../resourcesGpus';

export const getAdminGpu: Handler<'getAdminGpu'> = readOf(gpus);
