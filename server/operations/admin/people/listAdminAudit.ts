import type { Handler } from '../../types';
import { listOf } from '../resource';
import { audit } from '../resourcesPeople';

export const listAdminAudit: Handler<'listAdminAudit'> = listOf(audit);
