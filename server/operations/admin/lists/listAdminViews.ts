import type { Handler } from '../../types';
import { listOf } from '../resource';
import { views } from '../resourcesLists';

export const listAdminViews: Handler<'listAdminViews'> = listOf(views);
