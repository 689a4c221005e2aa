import type { Handler } from '../../types';
import { readOf } from '../resource';
import { users } from '../resourcesPeople';

export const getAdminUser: Handler<'getAdminUser'> = readOf(users);
