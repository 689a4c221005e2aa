import type { Tx } from '../db/client';
import { movableFacts } from '../db/drains';
import { addEvent, beginOperation, liveOperation } from '../db/operations';
import type { CvmRow, OperationRow, TeepodRow } from '../db/schema';
import type { DrainCvmRow, DrainRow } from '../db/schemaFleet';
import { mayMove } from '../domain/movable';
import { utcMinute } from '../domain/schedule';
import { takeTarget } from './drainTarget';
import type { JobQueue } from './queue';

type Outcome = Partial<
  Pick<DrainCvmRow, 'state' | 'message' | 'operation_id' | 'to_teepod_id' | 'notified_at' | 'look_at'>
>;

interface Look {
  drain: DrainRow;
  item: DrainCvmRow;
  cvm: CvmRow;
  teepod: TeepodRow;
  /** Whether there is a place for one more move now. */
  mayBegin: boolean;
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const SETTLED: readonly CvmRow['status'][] = ['running', 'stopped', 'error'];
const ENDED: readonly DrainCvmRow['state'][] = ['moved', 'stopped', 'gone', 'cancelled'];

/**
 * One CVM of a drain a step further, in the drain's transaction: what was begun and has ended is written down, what can
 * begin begins. @returns whether a move began
 */
export async function lookAtCvm(
  trx: Tx,
  jobs: JobQueue,
  { drain, item_id, mayBegin }: { drain: DrainRow; item_id: number; mayBegin: boolean },
): Promise<boolean> {
  const item = await trx
    .selectFrom('drain_cvms')
    .selectAll()
    .where('id', '=', item_id)
    .forUpdate()
    .executeTakeFirst();
  if (!item || item.state === 'cancelled') return false;
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
  const outcome = await outcomeOf(trx, jobs, { drain, item, cvm, teepod, mayBegin });
  await write(trx, item, outcome);
  return outcome.state === 'moving' && item.state !== 'moving';
}

async function write(trx: Tx, item: DrainCvmRow, outcome: Outcome): Promise<void> {
  const ended = outcome.state !== undefined && ENDED.includes(outcome.state);
  const told =
    (outcome.state ?? item.state) !== item.state ||
    (outcome.message === undefined ? item.message : outcome.message) !== item.message;
  if (Object.keys(outcome).length === 0) return;
  await trx
    .updateTable('drain_cvms')
    .set({
      ...outcome,
      ...(told ? { updated_at: new Date() } : {}),
      ...(outcome.state === undefined ? {} : { finished_at: ended ? new Date() : null }),
    })
    .where('id', '=', item.id)
    .execute();
}

async function outcomeOf(trx: Tx, jobs: JobQueue, look: Look): Promise<Outcome> {
  const { drain, item, cvm, teepod } = look;
  if (item.operation_id !== null) return follow(trx, look, item.operation_id);
  if (cvm.deleted_at !== null || cvm.desired === 'deleted')
    return {
      state: 'gone',
      message:
        cvm.purge_at === null
          ? 'It was deleted.'
          : 'It is in the recycle bin; its disk stays on the host until then.',
    };
  if (cvm.teepod_id !== drain.teepod_id) return { state: 'moved', message: 'It is on another host.' };
  const busy = await liveOperation(trx, cvm.id);
  if (busy || !SETTLED.includes(cvm.status))
    return {
      state: 'waiting',
      message: `Busy: its ${busy?.type ?? 'change'} has not ended.`,
      look_at: inSeconds(1),
    };
  if (cvm.status === 'stopped' && cvm.desired === 'stopped')
    return { state: 'stopped', message: 'It was stopped already. Its disk stays on the host.' };
  if (!teepod.reachable)
    return blocked('The host does not answer, so nothing on it can be stopped in good order.');
  switch (item.action) {
    case 'leave':
      return blocked('It is left running, as was decided.');
    case 'move':
      return move(trx, jobs, look);
    case 'stop':
      return drain.stop_at > new Date() ? announce(trx, look) : stop(trx, jobs, look);
  }
}

const blocked = (message: string, seconds = 5): Outcome => ({
  state: 'blocked',
  message: message.slice(0, 2000),
  look_at: inSeconds(seconds),
});

/** What the drain began on this CVM: still going on, or over. */
async function follow(trx: Tx, { drain, item, cvm }: Look, operation_id: number): Promise<Outcome> {
  const operation = await trx
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', operation_id)
    .executeTakeFirstOrThrow();
  if (operation.state === 'queued' || operation.state === 'running') return {};
  if (operation.state !== 'succeeded')
    return {
      ...blocked(failureText(operation), 60),
      operation_id: null,
      to_teepod_id: null,
    };
  if (cvm.teepod_id !== drain.teepod_id) {
    await addEvent(trx, {
      cvm,
      operation,
      kind: 'cvm.drain_moved',
      severity: 'warning',
      message: `Moved to another host, where it began with an empty disk. ${drain.reason}`.trim(),
    });
    return { state: 'moved', message: 'Moved; it began with an empty disk.', operation_id: null };
  }
  // Stopped, or started again since: the next look sees which.
  if (cvm.status !== 'stopped')
    return { state: 'waiting', message: 'It was started again.', operation_id: null, look_at: new Date() };
  if (item.state === 'stopped') return {};
  await addEvent(trx, {
    cvm,
    operation,
    kind: 'cvm.drain_stopped',
    severity: 'warning',
    message: `Stopped, as its host is taken out of service. Its disk is kept there. ${drain.reason}`.trim(),
  });
  return { state: 'stopped', message: 'Stopped; its disk stays on the host.' };
}

const failureText = ({ type, error_message }: OperationRow) =>
  `Its ${type} failed: ${error_message ?? 'no reason is known'}`;

async function move(trx: Tx, jobs: JobQueue, { drain, cvm, teepod, mayBegin }: Look): Promise<Outcome> {
  const { allowed, why } = mayMove(await movableFacts(trx, cvm.id));
  if (!allowed) return blocked(why);
  if (!mayBegin) return { state: 'waiting', message: 'It waits for its turn.', look_at: inSeconds(1) };
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
    message: `On its way to ${target.name}.`,
    operation_id: operation.id,
    to_teepod_id: target.teepod_id,
  };
}

async function announce(trx: Tx, { drain, item, cvm }: Look): Promise<Outcome> {
  if (item.notified_at === null)
    await addEvent(trx, {
      cvm,
      kind: 'cvm.drain_notice',
      severity: 'warning',
      message:
        `Will be stopped at ${utcMinute(drain.stop_at)}: its host is taken out of service. Its disk is kept. ${drain.reason}`.trim(),
      data: { stop_at: drain.stop_at.toISOString() },
    });
  return {
    state: 'waiting',
    message: `It is stopped at ${utcMinute(drain.stop_at)}; its team has been told.`,
    notified_at: item.notified_at ?? new Date(),
    look_at: new Date(Math.min(drain.stop_at.getTime(), Date.now() + 10_000)),
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
  return { state: 'stopping', message: 'It is shutting down.', operation_id: operation.id };
}
