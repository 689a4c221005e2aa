import type { Handler } from '../types';
import { readOf } from './resource';
import { instanceTypes } from './resources';

export const getAdminInstanceType: Handler<'getAdminInstanceType'> = readOf(instanceTypes);
