import { sql } from 'kysely';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { addEvent, beginOperation, liveOperation } from '../../db/activity/operations';
import { isWorthKeeping, moveToBin } from '../../db/cvms/recycleBin';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { utcMinute } from '../../domain/core/dates';
import { WARN_BEFORE_MS } from '../../domain/core/schedule';
import type { JobQueue } from '../core/queue';
import { isSettled, LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { isIn } from '../../db/core/states';

/** CVMs checked per round; the rest is due in the next, a second later. */
const BATCH_SIZE = 100;

/**
 * Runs scheduled CVM changes: warnings, scheduled stops and deletions, the end of the recycle bin. Any number
 * of processes may run it: each change is claimed, recorded and turned into an operation in one transaction
 * under the CVM's lock, so it happens once, even if a process dies. A busy CVM is retried later.
 */
export async function runSchedule(db: Db, jobs: JobQueue): Promise<void> {
  await warn(db, 'stop');
  await warn(db, 'delete');
  for (const id of await due(db, sql`scheduled_delete_at <= now() and deleted_at is null`))
    await act(db, jobs, id, deleteNow);
  for (const id of await due(db, sql`scheduled_stop_at <= now() and deleted_at is null`))
    await act(db, jobs, id, stopNow);
  // A deleted team needs no grace period. The reconciler handles what could not be stopped or destroyed.
  for (const id of await due(
    db,
    sql`purge_at is not null and status = 'stopped' and (purge_at <= now()
      or exists (select 1 from teams where teams.id = cvms.team_id and teams.deleted_at is not null))`,
  ))
    await act(db, jobs, id, purgeNow);
}

async function due(db: Db, when: ReturnType<typeof sql>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from cvms where ${when}
      and not exists (select 1 from operations o where o.cvm_id = cvms.id and ${isIn('o.state', LIVE_OPERATION)})
    order by id limit ${BATCH_SIZE}`.execute(db);
  return rows.map(({ id }) => id);
}

type Act = (trx: Tx, jobs: JobQueue, cvm: CvmRow, now: Date) => Promise<void>;

async function act(db: Db, jobs: JobQueue, id: number, work: Act): Promise<void> {
  await withTransaction(db, async (trx) => {
    const cvm = await trx
      .selectFrom('cvms')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    // Another process was faster, or the CVM has changed: the next round checks again.
    if (!cvm || !isSettled(cvm.status) || (await liveOperation(trx, id))) return;
    await work(trx, jobs, cvm, new Date());
  });
}

const stopNow: Act = async (trx, jobs, cvm, now) => {
  if (!cvm.scheduled_stop_at || cvm.scheduled_stop_at > now || cvm.deleted_at) return;
  await trx
    .updateTable('cvms')
    .set({ scheduled_stop_at: null, stop_warned_at: null, updated_at: now })
    .where('id', '=', cvm.id)
    .execute();
  const said = { cvm, kind: 'cvm.schedule_stop' as const, data: { at: cvm.scheduled_stop_at.toISOString() } };
  if (cvm.status === 'stopped')
    return addEvent(trx, { ...said, message: 'Scheduled stop skipped: already stopped' });
  if (cvm.status === 'lost') {
    // It is stopped when its host lists the VM again.
    await trx.updateTable('cvms').set({ desired: 'stopped' }).where('id', '=', cvm.id).execute();
    return addEvent(trx, {
      ...said,
      message: 'Will be stopped as scheduled once its host lists its VM again',
    });
  }
  const operation = await beginOperation(trx, { cvm, type: 'shutdown', user_id: null });
  await addEvent(trx, { ...said, operation, message: 'Stopping as scheduled' });
  await jobs.enqueueOperation(trx, operation.correlation_id);
};

const deleteNow: Act = async (trx, jobs, cvm, now) => {
  if (!cvm.scheduled_delete_at || cvm.scheduled_delete_at > now || cvm.deleted_at || cvm.protected) return;
  const recycle = await isWorthKeeping(trx, cvm);
  const operation = await beginOperation(trx, { cvm, type: 'delete', payload: { recycle }, user_id: null });
  if (recycle) await moveToBin(trx, cvm);
  else
    await trx
      .updateTable('cvms')
      .set({ scheduled_delete_at: null, scheduled_stop_at: null })
      .where('id', '=', cvm.id)
      .execute();
  await addEvent(trx, {
    cvm,
    operation,
    kind: 'cvm.schedule_delete',
    message: 'Deleting as scheduled',
    data: { at: cvm.scheduled_delete_at.toISOString() },
  });
  await jobs.enqueueOperation(trx, operation.correlation_id);
};

const purgeNow: Act = async (trx, jobs, cvm) => {
  if (!cvm.purge_at || cvm.status !== 'stopped') return;
  const operation = await beginOperation(trx, { cvm, type: 'purge', user_id: null });
  await jobs.enqueueOperation(trx, operation.correlation_id);
};

const columns = {
  stop: { at: 'scheduled_stop_at', warned: 'stop_warned_at', done: 'stopped' },
  delete: { at: 'scheduled_delete_at', warned: 'delete_warned_at', done: 'deleted' },
} as const;

async function warn(db: Db, what: 'stop' | 'delete'): Promise<void> {
  const { at, warned, done } = columns[what];
  await withTransaction(db, async (trx) => {
    const { rows } = await sql<Pick<CvmRow, 'id' | 'team_id' | 'app_id'> & { at: Date }>`
      update cvms set ${sql.ref(warned)} = now() where id = any(array(
        select id from cvms
        where ${sql.ref(at)} <= now() + make_interval(secs => ${WARN_BEFORE_MS / 1000}) and ${sql.ref(at)} > now()
          and ${sql.ref(warned)} is null and deleted_at is null
        order by id limit ${BATCH_SIZE} for update skip locked
      )) returning id, team_id, app_id, ${sql.ref(at)} as at`.execute(trx);
    for (const { at: when, ...cvm } of rows)
      await addEvent(trx, {
        cvm,
        kind: 'cvm.schedule_warning',
        severity: 'warning',
        message: `Will be ${done} at ${utcMinute(when)}, within the hour`,
        data: { what, at: when.toISOString() },
      });
  });
}
