import type { Handler } from '../../types';
import { listOf } from '../resource';
import { apps } from '../resourcesPeople';

export const listAdminApps: Handler<'listAdminApps'> = listOf(apps);
