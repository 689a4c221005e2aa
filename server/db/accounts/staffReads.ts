import { sql } from 'kysely';
import { appendAudit, type AuditRow } from '../audit/auditLog';
import { withTransaction, type Db } from '../core/client';

/** Older hours are already in the audit log and no longer needed for deduplication. */
const KEPT = sql`interval '2 days'`;

export interface StaffRead {
  staff_user_id: number;
  cvm_id: number;
  entry: AuditRow;
}

/**
 * Records in the team's audit log that staff read a CVM: once per staff user, CVM and hour. Call it before
 * reading anything, so that no read goes unrecorded.
 */
export async function noteStaffRead(db: Db, { staff_user_id, cvm_id, entry }: StaffRead): Promise<void> {
  const hour = sql<Date>`date_trunc('hour', now())`;
  // Most reads aren't the first of their hour and need no transaction.
  const known = await db
    .selectFrom('staff_reads')
    .select('hour')
    .where('staff_user_id', '=', staff_user_id)
    .where('cvm_id', '=', cvm_id)
    .where('hour', '=', hour)
    .executeTakeFirst();
  if (known) return;
  await withTransaction(db, async (trx) => {
    const inserted = await trx
      .insertInto('staff_reads')
      .values({ staff_user_id, cvm_id, hour })
      .onConflict((conflict) => conflict.doNothing())
      .returning('hour')
      .executeTakeFirst();
    if (!inserted) return;
    await sql`delete from staff_reads where hour < now() - ${KEPT}`.execute(trx);
    await appendAudit(trx, [entry]);
  });
}

/** The CVM under which reads of an app are recorded. */
export const newestCvmOf = (db: Db, app_id: number) =>
  db
    .selectFrom('cvms')
    .select(['id', 'public_id', 'name', 'team_id'])
    .where('app_id', '=', app_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
