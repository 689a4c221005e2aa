import { sql } from 'kysely';
import { isSettled, LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { liveOperation } from '../../db/activity/operations';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { isIn } from '../../db/core/states';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { CvmStatus } from '../../domain/cvms/cvmStates';

/** CVMs handled per run; the rest is due in the next. */
const BATCH_SIZE = 200;

type Act = (trx: Tx, cvm: CvmRow) => Promise<void>;

/**
 * Acts on CVMs of a team or an app that are in a given state, each in its own transaction. Busy ones are
 * handled in the next run.
 *
 * @param covered_at skips CVMs that an order covers at that moment
 */
export async function actOnCvms(
  db: Db,
  {
    team_id,
    app_id = null,
    states,
    covered_at = null,
  }: { team_id: number; app_id?: number | null; states: readonly CvmStatus[]; covered_at?: Date | null },
  act: Act,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from cvms where team_id = ${team_id} and deleted_at is null and status = any(${[...states]}::text[])
      and (${app_id}::bigint is null or app_id = ${app_id})
      and (${covered_at}::timestamptz is null or covers is distinct from 'cvm' or covered_until <= ${covered_at})
      and not exists (select 1 from operations o where o.cvm_id = cvms.id and ${isIn('o.state', LIVE_OPERATION)})
    order by id limit ${BATCH_SIZE}`.execute(db);
  for (const { id } of rows) await actOnCvm(db, id, act);
}

/** Acts on a locked CVM, unless it is deleted, busy or locked by another process. */
export const actOnCvm = (db: Db | Tx, id: number, act: Act): Promise<void> =>
  withTransaction(db, async (trx) => {
    const cvm = await trx
      .selectFrom('cvms')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!cvm || !isSettled(cvm.status) || (await liveOperation(trx, id))) return;
    await act(trx, cvm);
  });
