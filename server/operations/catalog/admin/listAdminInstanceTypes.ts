import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { instanceTypes } from '../../core/admin/resources';

export const listAdminInstanceTypes: Handler<'listAdminInstanceTypes'> = listOf(instanceTypes);
