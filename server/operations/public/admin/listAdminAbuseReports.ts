import { listOf } from '../../core/admin/resource';
import type { Handler } from '../../types';
import { abuseReports } from './resource';

export const listAdminAbuseReports: Handler<'listAdminAbuseReports'> = listOf(abuseReports);
