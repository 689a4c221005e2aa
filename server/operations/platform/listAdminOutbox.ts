import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { outbox } from '../core/admin/resources';

export const listAdminOutbox: Handler<'listAdminOutbox'> = listOf(outbox);
