import type { Handler } from '../../types';
import { listOf } from '../resource';
import { gpus } from '../resourcesGpus';

export const listAdminGpus: Handler<'listAdminGpus'> = listOf(gpus);
