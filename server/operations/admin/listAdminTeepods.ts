import type { Handler } from '../types';
import { listOf } from './resource';
import { teepods } from './resources';

export const listAdminTeepods: Handler<'listAdminTeepods'> = listOf(teepods);
