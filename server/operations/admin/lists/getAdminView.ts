import type { Handler } from '../../types';
import { readOf } from '../resource';
import { views } from '../resourcesLists';

export const getAdminView: Handler<'getAdminView'> = readOf(views);
