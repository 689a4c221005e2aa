import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { duplicateVms } from './resource';

export const listAdminDuplicateVms: Handler<'listAdminDuplicateVms'> = listOf(duplicateVms);
