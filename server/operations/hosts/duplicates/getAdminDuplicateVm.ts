import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { duplicateVms } from './resource';

export const getAdminDuplicateVm: Handler<'getAdminDuplicateVm'> = readOf(duplicateVms);
