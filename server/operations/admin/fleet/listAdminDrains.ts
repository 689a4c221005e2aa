import type { Handler } from '../../types';
import { listOf } from '../resource';
import { drains } from '../resourcesFleet';

export const listAdminDrains: Handler<'listAdminDrains'> = listOf(drains);
