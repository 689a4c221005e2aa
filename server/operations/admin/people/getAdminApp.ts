import type { Handler } from '../../types';
import { readOf } from '../resource';
import { apps } from '../resourcesPeople';

export const getAdminApp: Handler<'getAdminApp'> = readOf(apps);
