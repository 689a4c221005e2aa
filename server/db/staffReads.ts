import { sql } from 'kysely';
import { appendAudit, type AuditRow } from './auditLog';
import { withTransaction, type Db } from './client';

/** Hours older than this are told already, and say nothing more. */
const KEPT = sql`interval '2 days'`;

export interface StaffRead {
  staff_user_id: number;
  cvm_id: number;
  entry: AuditRow;
}

/**
 * Notes in the team's audit log that staff read something of a CVM: once for each person, CVM and hour. Written before
 * anything is read, so what is not noted is not read.
 */
export async function noteStaffRead(db: Db, { staff_user_id, cvm_id, entry }: StaffRead): Promise<void> {
  const hour = sql<Date>`date_trunc('hour', now())`;
  // Most reads are not the first of their hour, and need no transaction.
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

/** The CVM that what is read of an app is noted at. */
export const newestCvmOf = (db: Db, app_id: number) =>
  db
    .selectFrom('cvms')
    .select(['id', 'public_id', 'name', 'team_id'])
    .where('app_id', '=', app_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
