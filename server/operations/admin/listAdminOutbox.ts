import type { Handler } from '../types';
import { listOf } from './resource';
import { outbox } from './resources';

export const listAdminOutbox: Handler<'listAdminOutbox'> = listOf(outbox);
