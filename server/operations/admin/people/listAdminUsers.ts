import type { Handler } from '../../types';
import { listOf } from '../resource';
import { users } from '../resourcesPeople';

export const listAdminUsers: Handler<'listAdminUsers'> = listOf(users);
