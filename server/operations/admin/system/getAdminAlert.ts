import type { Handler } from '../../types';
import { readOf } from '../resource';
import { alerts } from '../resourcesSystem';

export const getAdminAlert: Handler<'getAdminAlert'> = readOf(alerts);
