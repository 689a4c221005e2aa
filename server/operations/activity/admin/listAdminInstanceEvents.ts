import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { instanceEvents } from '../../core/admin/resourcesCvms';

export const listAdminInstanceEvents: Handler<'listAdminInstanceEvents'> = listOf(instanceEvents);
