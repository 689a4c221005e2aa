import type { Handler } from '../../types';
import { readOf } from '../resource';
import { drainCvms } from '../resourcesFleet';

export const getAdminDrainCvm: Handler<'getAdminDrainCvm'> = readOf(drainCvms);
