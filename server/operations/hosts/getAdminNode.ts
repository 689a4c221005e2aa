import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { nodes } from '../core/admin/resources';

export const getAdminNode: Handler<'getAdminNode'> = readOf(nodes);
