import type { AdminAbuseReport } from '../../../../generated/api/types.gen';
import { adminAbuseReports, type AbuseReportListed } from '../../../db/public/abuseReports';
import { abuseReportOut } from '../../../domain/public/abuseReportResponse';
import type { AdminResource } from '../../core/admin/resource';

export const abuseReports: AdminResource<AbuseReportListed, AdminAbuseReport> = {
  name: 'abuse-reports',
  singular: 'abuse report',
  source: adminAbuseReports,
  out: abuseReportOut,
  version: (row) => row.updated_at,
};
