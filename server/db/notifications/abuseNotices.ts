import { sql } from 'kysely';
import { ABUSE_KINDS } from '../../../console/lib/public/abuse';
import type { AbuseKind } from '../../../generated/api/types.gen';
import type { Tx } from '../core/client';
import { staffFor, notifyStaff } from './staffNotices';

/** Notices to those who decide reports about published apps. */

const KIND = 'abuse_report';

// By app rather than by report: visitors need no account, and could otherwise flood notifications.
const subjectOf = (app_id: number) => `abuse:${app_id}`;

/** Notifies staff of a report. Further reports about the app are counted in the same notice. */
export async function notifyReported(
  trx: Tx,
  report: { app_id: number; app_name: string; kind: AbuseKind },
  at: Date,
): Promise<void> {
  // Excludes the visitor's text, which may itself be the bait.
  await notifyStaff(
    trx,
    KIND,
    await staffFor(trx, KIND),
    {
      subject: subjectOf(report.app_id),
      severity: 'warning',
      title: `${report.app_name} was reported in the explorer`,
      message: `Latest reason: ${ABUSE_KINDS[report.kind]}. Dismiss the report or remove the app from public lists.`,
    },
    at,
  );
}

/** Closes the notices about an app without open reports, including unwritten mail. */
export const closeReported = (trx: Tx, app_id: number, at: Date) =>
  sql`
    update notifications set resolved_at = ${at}, read_at = coalesce(read_at, ${at}), mail_due_at = null,
      position = nextval('notification_positions')
    where user_id in (select id from users where platform_role is not null)
      and kind = ${KIND} and subject = ${subjectOf(app_id)} and resolved_at is null
      and not exists (select 1 from abuse_reports where app_id = ${app_id} and state = 'open')`.execute(trx);
