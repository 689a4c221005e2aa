import { lockAuditDestination } from '../../../db/audit/auditDestinations';
import { removeRow } from '../../core/admin/resource';
import { auditDestinations } from '../../core/admin/resourcesSystem';
import type { Handler } from '../../types';
import { audited } from './destination';

export const deleteAdminAuditDestination: Handler<'deleteAdminAuditDestination'> = ({ path, ctx }) =>
  removeRow(ctx, auditDestinations, path.id, {
    kind: 'audit_destination',
    table: 'audit_destinations',
    lock: lockAuditDestination,
    kept: ['name', 'kind', 'address', 'state', 'delivered_id'],
    shown: audited,
  });
