import { readOf } from '../../core/admin/resource';
import type { Handler } from '../../types';
import { abuseReports } from './resource';

export const getAdminAbuseReport: Handler<'getAdminAbuseReport'> = readOf(abuseReports);
