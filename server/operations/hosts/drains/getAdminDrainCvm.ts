import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { drainCvms } from '../../core/admin/resourcesFleet';

export const getAdminDrainCvm: Handler<'getAdminDrainCvm'> = readOf(drainCvms);
