import type { Handler } from '../../types';
import { readOf } from '../resource';
import { drains } from '../resourcesFleet';

export const getAdminDrain: Handler<'getAdminDrain'> = readOf(drains);
