import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { auditDestinations } from '../../core/admin/resourcesSystem';

export const getAdminAuditDestination: Handler<'getAdminAuditDestination'> = readOf(auditDestinations);
