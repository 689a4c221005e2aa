import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { gateways } from './resource';

export const listAdminGateways: Handler<'listAdminGateways'> = listOf(gateways);
