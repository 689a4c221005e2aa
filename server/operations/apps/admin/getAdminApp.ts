import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { apps } from '../../core/admin/resourcesPeople';

export const getAdminApp: Handler<'getAdminApp'> = readOf(apps);
