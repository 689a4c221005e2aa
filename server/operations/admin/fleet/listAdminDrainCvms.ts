import type { Handler } from '../../types';
import { listOf } from '../resource';
import { drainCvms } from '../resourcesFleet';

export const listAdminDrainCvms: Handler<'listAdminDrainCvms'> = listOf(drainCvms);
