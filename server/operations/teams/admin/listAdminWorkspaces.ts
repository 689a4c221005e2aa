import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { workspaces } from '../../core/admin/resourcesPeople';

export const listAdminWorkspaces: Handler<'listAdminWorkspaces'> = listOf(workspaces);
