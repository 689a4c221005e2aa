import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { users } from '../../core/admin/resourcesPeople';

export const listAdminUsers: Handler<'listAdminUsers'> = listOf(users);
