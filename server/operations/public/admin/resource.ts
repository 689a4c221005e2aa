import type { AdminAbuseReport } from '../../../../generated/api/types.gen';
import { adminAbuseReports, type AbuseReportListed } from '../../../db/public/abuseReports';
import { iso } from '../../../domain/core/references';
import type { AdminResource } from '../../core/admin/resource';

export const abuseReportOut = (row: AbuseReportListed): AdminAbuseReport => ({
  id: row.id,
  app_id: row.app_id,
  app_name: row.app_name,
  team_id: row.team_id,
  kind: row.kind,
  text: row.text,
  email: row.email,
  state: row.state,
  is_delisted: row.is_delisted,
  decision: row.decision,
  reinstatement: row.reinstatement,
  decided_by: row.decided_by,
  decided_at: iso(row.decided_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const abuseReports: AdminResource<AbuseReportListed, AdminAbuseReport> = {
  name: 'abuse-reports',
  singular: 'abuse report',
  source: adminAbuseReports,
  out: abuseReportOut,
  version: (row) => row.updated_at,
};
