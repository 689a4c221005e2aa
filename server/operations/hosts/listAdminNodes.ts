import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { nodes } from '../core/admin/resources';

export const listAdminNodes: Handler<'listAdminNodes'> = listOf(nodes);
