import type { Handler } from '../types';
import { listOf } from './resource';
import { nodes } from './resources';

export const listAdminNodes: Handler<'listAdminNodes'> = listOf(nodes);
