import type { Handler } from '../types';
import { readOf } from './resource';
import { nodes } from './resources';

export const getAdminNode: Handler<'getAdminNode'> = readOf(nodes);
