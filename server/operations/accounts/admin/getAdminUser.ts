import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { users } from '../../core/admin/resourcesPeople';

export const getAdminUser: Handler<'getAdminUser'> = readOf(users);
