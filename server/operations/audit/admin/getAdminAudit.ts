import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { audit } from '../../core/admin/resourcesPeople';

export const getAdminAudit: Handler<'getAdminAudit'> = readOf(audit);
