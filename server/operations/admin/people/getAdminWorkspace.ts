import type { Handler } from '../../types';
import { readOf } from '../resource';
import { workspaces } from '../resourcesPeople';

export const getAdminWorkspace: Handler<'getAdminWorkspace'> = readOf(workspaces);
