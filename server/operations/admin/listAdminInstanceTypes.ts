import type { Handler } from '../types';
import { listOf } from './resource';
import { instanceTypes } from './resources';

export const listAdminInstanceTypes: Handler<'listAdminInstanceTypes'> = listOf(instanceTypes);
