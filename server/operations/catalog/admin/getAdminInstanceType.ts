import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { instanceTypes } from '../../core/admin/resources';

export const getAdminInstanceType: Handler<'getAdminInstanceType'> = readOf(instanceTypes);
