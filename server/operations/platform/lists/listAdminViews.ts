import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { views } from '../../core/admin/resourcesLists';

export const listAdminViews: Handler<'listAdminViews'> = listOf(views);
