import type { Handler } from '../../types';
import { listOf } from '../resource';
import { instanceEvents } from '../resourcesCvms';

export const listAdminInstanceEvents: Handler<'listAdminInstanceEvents'> = listOf(instanceEvents);
