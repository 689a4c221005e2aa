import { sql, type Generated, type GeneratedAlways, type Selectable } from 'kysely';
import type { AdminAbuseReport } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Tx } from '../core/client';

/**
 * One row per visitor report about a published app. Decided by platform staff (migration 0130_abuse_reports).
 */
export interface AbuseReportsTable {
  id: GeneratedAlways<number>;
  app_id: number;
  kind: AdminAbuseReport['kind'];
  text: string;
  /** Null if no answer is wanted. */
  email: string | null;
  state: Generated<AdminAbuseReport['state']>;
  /** Why it was dismissed, or the app removed. */
  decision: string | null;
  /** Why the app was allowed again. */
  reinstatement: string | null;
  decided_by: number | null;
  decided_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type AbuseReport = Selectable<AbuseReportsTable>;

export interface AbuseReportListed extends Omit<AbuseReport, 'app_id'> {
  /** Public ID, 40 hex digits. */
  app_id: string;
  app_name: string;
  team_id: number;
  is_delisted: boolean;
}

export const adminAbuseReports: AdminListSource<AbuseReportListed> = {
  fields: {
    id: 'integer',
    app_id: 'text',
    app_name: 'text',
    team_id: 'integer',
    kind: 'text',
    text: 'text',
    email: 'text',
    state: 'text',
    is_delisted: 'boolean',
    decision: 'text',
    reinstatement: 'text',
    decided_by: 'integer',
    decided_at: 'time',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminAbuseReport, AdminFieldKind>,
  searched: ['app_name', 'app_id', 'text'],
  select: sql<AbuseReportListed>`
    select r.id, a.app_id, a.name as app_name, a.team_id, r.kind, r.text, r.email, r.state,
      a.listing_refused_at is not null as is_delisted, r.decision, r.reinstatement, r.decided_by, r.decided_at,
      r.created_at, r.updated_at
    from abuse_reports r join apps a on a.id = r.app_id`,
};

/** Limits of open reports per app and in total, because visitors need no account. */
const OPEN_PER_APP = 50;
const MAX_OPEN = 5000;

/** Stores a report unless too many are open. @returns its ID, or null */
export async function insertAbuseReport(
  trx: Tx,
  report: Pick<AbuseReport, 'app_id' | 'kind' | 'text' | 'email'>,
): Promise<number | null> {
  const { app_id, kind, text, email } = report;
  // Serializes reports about an app, which share a limit and a notice to staff.
  await sql`select 1 from apps where id = ${app_id} for no key update`.execute(trx);
  const { rows } = await sql<{ id: number }>`
    insert into abuse_reports (app_id, kind, text, email)
    select ${app_id}, ${kind}, ${text}, ${email}::text
    where (select count(*) from abuse_reports where app_id = ${app_id} and state = 'open') < ${OPEN_PER_APP}
      and (select count(*) from (select 1 from abuse_reports where state = 'open' limit ${MAX_OPEN}) o) < ${MAX_OPEN}
    returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

/** Returns a report with its app's row ID; both stay locked until the transaction ends. */
export async function lockAbuseReport(trx: Tx, id: number) {
  return trx
    .selectFrom('abuse_reports as r')
    .innerJoin('apps as a', 'a.id', 'r.app_id')
    .select(['r.id', 'r.app_id', 'r.state', 'a.team_id', 'a.app_id as public_app_id', 'a.name as app_name'])
    .select('a.listing_refused_reason')
    .where('r.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Decides a report, and with it the app's other reports in a given state. */
export const decideAbuseReports = (
  trx: Tx,
  { id, app_id }: { id: number; app_id: number },
  decision: (
    | { state: 'dismissed' | 'delisted'; decision: string }
    | { state: 'reinstated'; reinstatement: string }
  ) & { decided_by: number | null },
  { others }: { others: AbuseReport['state'] | null },
) =>
  trx
    .updateTable('abuse_reports')
    .set({ ...decision, decided_at: new Date(), updated_at: new Date() })
    .where((eb) =>
      others === null
        ? eb('id', '=', id)
        : eb.or([eb('id', '=', id), eb.and([eb('app_id', '=', app_id), eb('state', '=', others)])]),
    )
    .execute();
