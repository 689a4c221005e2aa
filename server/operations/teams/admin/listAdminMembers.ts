import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { members } from '../../core/admin/resourcesPeople';

export const listAdminMembers: Handler<'listAdminMembers'> = listOf(members);
