import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { auditDestinations } from '../../core/admin/resourcesSystem';

export const listAdminAuditDestinations: Handler<'listAdminAuditDestinations'> = listOf(auditDestinations);
