import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { gateways } from './resource';

export const getAdminGateway: Handler<'getAdminGateway'> = readOf(gateways);
