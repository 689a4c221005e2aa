import { adminOne } from '../../../db/core/adminList';
import { closeReported } from '../../../db/notifications/abuseNotices';
import { adminAbuseReports, decideAbuseReports, lockAbuseReport } from '../../../db/public/abuseReports';
import { listApp, unlistApp } from '../../../db/public/listing';
import { Problem } from '../../../domain/core/problem';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { userOf } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Context } from '../../types';
import { abuseReportOut, abuseReports } from './resource';

const NEEDS = { dismiss: 'open', delist: 'open', reinstate: 'delisted' } as const;

/** Other reports about the app that the decision also settles. */
const OTHERS = { dismiss: null, delist: 'open', reinstate: 'delisted' } as const;

/**
 * Decides a report and applies the result to the app in one transaction. The reason is in the team's audit log;
 * delisting and reinstating are also events of the app's CVMs.
 */
export const decide = (
  ctx: Context,
  id: number,
  { action, reason }: { action: keyof typeof NEEDS; reason: string },
) => {
  checkText(reason, 'reason');
  return ctx.write(async ({ trx, audit }) => {
    const report = await lockAbuseReport(trx, id);
    if (!report) throw missing(abuseReports, id);
    const is_delisted = report.listing_refused_reason !== null;
    if (report.state !== NEEDS[action] || is_delisted !== (action === 'reinstate'))
      throw new Problem('CONFLICT', {
        message: is_delisted
          ? 'The app is delisted. It can be reinstated from the report that was decided.'
          : `The report is ${report.state}.`,
      });
    const decided_by = userOf(ctx).id;
    await decideAbuseReports(
      trx,
      report,
      action === 'reinstate'
        ? { state: 'reinstated', reinstatement: reason, decided_by }
        : { state: action === 'delist' ? 'delisted' : 'dismissed', decision: reason, decided_by },
      { others: OTHERS[action] },
    );
    if (action !== 'reinstate') await closeReported(trx, report.app_id, new Date());
    if (action === 'delist') await unlistApp(trx, report.app_id, reason);
    if (action === 'reinstate') await listApp(trx, report.app_id, reason);
    await audit({
      action: `abuse_report.${action}`,
      target_kind: 'app',
      target_id: report.public_app_id,
      team_id: report.team_id,
      before: { name: report.app_name, is_delisted },
      after: { name: report.app_name, is_delisted: action === 'delist', reason },
    });
    const row = await adminOne(trx, adminAbuseReports, id);
    if (!row) throw missing(abuseReports, id);
    return {
      status: 200,
      headers: { ETag: etagOf(abuseReports.name, row.id, row.updated_at) },
      body: abuseReportOut(row),
    } as const;
  });
};
