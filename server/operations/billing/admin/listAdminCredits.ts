import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { credits } from '../../core/admin/resourcesBilling';

export const listAdminCredits: Handler<'listAdminCredits'> = listOf(credits);
