import type { Handler } from '../../types';
import { listOf } from '../resource';
import { workspaces } from '../resourcesPeople';

export const listAdminWorkspaces: Handler<'listAdminWorkspaces'> = listOf(workspaces);
