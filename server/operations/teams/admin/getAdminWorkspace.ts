import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { workspaces } from '../../core/admin/resourcesPeople';

export const getAdminWorkspace: Handler<'getAdminWorkspace'> = readOf(workspaces);
