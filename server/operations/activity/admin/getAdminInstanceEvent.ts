import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { instanceEvents } from '../../core/admin/resourcesCvms';

export const getAdminInstanceEvent: Handler<'getAdminInstanceEvent'> = readOf(instanceEvents);
