import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { views } from '../../core/admin/resourcesLists';

export const getAdminView: Handler<'getAdminView'> = readOf(views);
