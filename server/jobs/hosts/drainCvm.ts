import { sql } from 'kysely';
import type { Tx } from '../../db/core/client';
import { movableFacts } from '../../db/hosts/drains';
import { addEvent, beginOperation, liveOperation } from '../../db/activity/operations';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { NamedOperationRow, OperationRow } from '../../db/activity/operationsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import type { DrainCvmRow } from '../../db/hosts/drainCvmsTable';
import type { DrainRow } from '../../db/hosts/drainsTable';
import { mayMove } from '../../domain/cvms/movable';
import { utcMinute } from '../../domain/core/dates';
import { takeTarget } from './drainTarget';
import type { JobQueue } from '../core/queue';
import { isLive, isSettled } from '../../../console/lib/cvms/allowedActions';
import { ENDED_DRAIN_CVM } from '../../../console/lib/hosts/allowedActions';
import { drainText } from '../../../console/lib/texts/drainTexts';
import { join, type Text } from '../../../console/lib/texts/text';
import { toJson } from '../../db/core/json';

type Outcome = Partial<
  Pick<DrainCvmRow, 'state' | 'operation_id' | 'to_teepod_id' | 'notified_at'> & {
    message: Text;
    /** Seconds until it is checked again. */
    pause_seconds: number;
  }
>;

interface Look {
  drain: DrainRow;
  item: DrainCvmRow;
  cvm: CvmRow;
  teepod: TeepodRow;
  /** By the database's clock: another process, whose clock may differ, may look next. */
  now: Date;
  /** Whether a slot is free for one more move. */
  mayBegin: boolean;
}

/**
 * Advances one CVM of a drain by one step, in the drain's transaction: records what has ended, starts what
 * can start. @returns whether a move started
 */
export async function lookAtCvm(
  trx: Tx,
  jobs: JobQueue,
  { drain, item_id, mayBegin }: { drain: DrainRow; item_id: number; mayBegin: boolean },
): Promise<boolean> {
  const found = await trx
    .selectFrom('drain_cvms')
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('id', '=', item_id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) return false;
  const { now, ...item } = found;
  if (item.state === 'cancelled') return false;
  const cvm = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('id', '=', item.cvm_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const teepod = await trx
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', drain.teepod_id)
    .executeTakeFirstOrThrow();
  const outcome = await outcomeOf(trx, jobs, { drain, item, cvm, teepod, now, mayBegin });
  await write(trx, item, outcome);
  return outcome.state === 'moving' && item.state !== 'moving';
}

async function write(trx: Tx, item: DrainCvmRow, outcome: Outcome): Promise<void> {
  const ended = outcome.state !== undefined && ENDED_DRAIN_CVM.includes(outcome.state);
  const told =
    (outcome.state ?? item.state) !== item.state ||
    (outcome.message !== undefined && outcome.message.text !== item.message);
  if (Object.keys(outcome).length === 0) return;
  const { message, pause_seconds, ...change } = outcome;
  await trx
    .updateTable('drain_cvms')
    .set({
      ...change,
      ...(pause_seconds === undefined
        ? {}
        : { look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${pause_seconds})` }),
      ...(message ? { message: message.text, message_keys: toJson(message.keys) } : {}),
      ...(told ? { updated_at: new Date() } : {}),
      ...(outcome.state === undefined ? {} : { finished_at: ended ? new Date() : null }),
    })
    .where('id', '=', item.id)
    .execute();
}

async function outcomeOf(trx: Tx, jobs: JobQueue, look: Look): Promise<Outcome> {
  const { drain, item, cvm, teepod } = look;
  if (item.operation_id !== null) return follow(trx, look, item.operation_id);
  if (isGone(cvm)) return gone(cvm);
  if (cvm.teepod_id !== drain.teepod_id) return { state: 'moved', message: drainText('on_other_host') };
  const busy = await liveOperation(trx, cvm.id);
  if (busy || !isSettled(cvm.status))
    return {
      state: 'waiting',
      message: busy ? waitsFor(busy) : drainText('cvm_changing'),
      pause_seconds: 1,
    };
  if (cvm.status === 'stopped' && cvm.desired === 'stopped')
    return { state: 'stopped', message: drainText('cvm_was_stopped') };
  if (cvm.status === 'lost') return blocked(drainText('cvm_lost'));
  if (!teepod.reachable) return blocked(drainText('host_down'));
  switch (item.action) {
    case 'leave':
      return blocked(drainText('left_running'));
    case 'move':
      return move(trx, jobs, look);
    case 'stop':
      return drain.stop_at > look.now ? announce(trx, look) : stop(trx, jobs, look);
  }
}

const isGone = (cvm: CvmRow) => cvm.deleted_at !== null || cvm.desired === 'deleted';

const gone = (cvm: CvmRow): Outcome => ({
  state: 'gone',
  message: drainText(cvm.purge_at === null ? 'cvm_deleted' : 'cvm_recycled'),
});

const blocked = (message: Text, pause_seconds = 5): Outcome => ({ state: 'blocked', message, pause_seconds });

/** The operation the drain started on this CVM: in progress, or finished. */
async function follow(trx: Tx, { drain, item, cvm }: Look, operation_id: number): Promise<Outcome> {
  const operation = await trx
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', operation_id)
    .executeTakeFirstOrThrow();
  if (isLive(operation.state)) return {};
  if (operation.state !== 'succeeded')
    return {
      // Its deletion canceled the operation.
      ...(isGone(cvm) ? gone(cvm) : blocked(failureText(operation), 60)),
      operation_id: null,
      to_teepod_id: null,
    };
  if (cvm.teepod_id !== drain.teepod_id) {
    await addEvent(trx, {
      cvm,
      operation,
      kind: 'cvm.drain_moved',
      severity: 'warning',
      message: `Moved to another host, where it started with an empty disk.${reasonOf(drain)}`,
    });
    return { state: 'moved', message: drainText('cvm_moved'), operation_id: null };
  }
  // Stopped, or started again since: the next pass decides.
  if (cvm.status !== 'stopped')
    return { state: 'waiting', message: drainText('cvm_started'), operation_id: null, pause_seconds: 0 };
  if (item.state === 'stopped') return {};
  await addEvent(trx, {
    cvm,
    operation,
    kind: 'cvm.drain_stopped',
    severity: 'warning',
    message: `Stopped because its host is being taken out of service. Its disk is kept there.${reasonOf(drain)}`,
  });
  return { state: 'stopped', message: drainText('cvm_stopped') };
}

const waitsFor = ({ type, rolls_back }: NamedOperationRow): Text =>
  rolls_back ? drainText('rollback_live') : drainText('operation_live', { operation: type });

/** Returns the failure text. Operations of an earlier version have only a sentence. */
function failureText({ type, error_message, error_keys }: OperationRow): Text {
  const failed = drainText('operation_failed', { operation: type });
  if (error_message === null) return failed;
  return join(
    failed,
    error_keys.length > 0
      ? { keys: error_keys, text: error_message }
      : drainText('operation_said', { text: error_message }),
  );
}

async function move(trx: Tx, jobs: JobQueue, { drain, cvm, teepod, mayBegin }: Look): Promise<Outcome> {
  const { allowed, why } = mayMove(await movableFacts(trx, cvm.id));
  if (!allowed) return blocked(why);
  if (!mayBegin) return { state: 'waiting', message: drainText('waiting_turn'), pause_seconds: 1 };
  const target = await takeTarget(trx, cvm, teepod);
  if ('why' in target) return blocked(target.why);
  const operation = await beginOperation(trx, {
    cvm,
    type: 'move',
    payload: {
      to_teepod_id: target.teepod_id,
      from: { teepod_id: teepod.id, host_vm_id: cvm.host_vm_id, instance_id: cvm.instance_id },
      reason: drain.reason,
    },
    user_id: null,
  });
  await jobs.enqueueOperation(trx, operation.correlation_id);
  return {
    state: 'moving',
    message: drainText('cvm_moving', { host: target.name }),
    operation_id: operation.id,
    to_teepod_id: target.teepod_id,
  };
}

const reasonOf = ({ reason }: { reason: string }) => (reason === '' ? '' : ` Reason: ${reason}`);

async function announce(trx: Tx, { drain, item, cvm, now }: Look): Promise<Outcome> {
  if (item.notified_at === null)
    await addEvent(trx, {
      cvm,
      kind: 'cvm.drain_notice',
      severity: 'warning',
      message: `Will be stopped at ${utcMinute(drain.stop_at)}: its host is being taken out of service. Its disk is kept.${reasonOf(drain)}`,
      data: { stop_at: drain.stop_at.toISOString() },
    });
  return {
    state: 'waiting',
    message: drainText('stop_announced', { at: drain.stop_at.toISOString() }),
    notified_at: item.notified_at ?? now,
    pause_seconds: Math.min((drain.stop_at.getTime() - now.getTime()) / 1000, 10),
  };
}

async function stop(trx: Tx, jobs: JobQueue, { drain, cvm }: Look): Promise<Outcome> {
  const operation = await beginOperation(trx, {
    cvm,
    type: 'shutdown',
    payload: { reason: drain.reason },
    user_id: null,
  });
  await jobs.enqueueOperation(trx, operation.correlation_id);
  return { state: 'stopping', message: drainText('cvm_stopping'), operation_id: operation.id };
}
