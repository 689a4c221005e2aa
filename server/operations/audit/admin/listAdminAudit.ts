import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { audit } from '../../core/admin/resourcesPeople';

export const listAdminAudit: Handler<'listAdminAudit'> = listOf(audit);
