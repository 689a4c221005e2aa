import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { credits } from '../../core/admin/resourcesBilling';

export const getAdminCredit: Handler<'getAdminCredit'> = readOf(credits);
