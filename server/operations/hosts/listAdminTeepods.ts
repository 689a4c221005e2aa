import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { teepods } from '../core/admin/resources';

export const listAdminTeepods: Handler<'listAdminTeepods'> = listOf(teepods);
