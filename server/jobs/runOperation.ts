import type { Logger } from 'pino';
import type { Db } from '../db/client';
import { holdExactly, settleMove } from '../db/reservations';
import { claimOperation } from '../db/operations';
import { VmmError, type VmmRegistry } from '../drivers/vmm';
import { AlreadyFinished, operationKinds } from './operationKinds';
import { rememberImages } from './images';
import { moveCvm } from './moveCvm';
import { Cancelled, LeaseLost, OperationFailed, OperationRun } from './operationRun';
import { undoOperation } from './undo';

export interface Worker {
  db: Db;
  vmm: VmmRegistry;
  log: Logger;
  /** Names this process in leases. */
  id: string;
  /** Aborted when the process drains: operations are left to others, their leases given back. */
  stopping: AbortSignal;
}

/** Times an operation is tried before an error nobody foresaw counts as its end. */
const ATTEMPTS = 5;

/**
 * Claims one operation and works on it until it has ended, the lease is lost or the process stops. Safe to call any
 * number of times from any number of processes: only the holder of the lease acts. `onHost` is told which host it is on.
 */
export async function runOperation(
  worker: Worker,
  correlation_id: string,
  onHost: (teepod_id: number) => void,
): Promise<void> {
  const { db } = worker;
  const operation = await claimOperation(db, correlation_id, worker.id);
  if (!operation) return;
  const cvm = await db
    .selectFrom('cvms')
    .selectAll()
    .where('id', '=', operation.cvm_id)
    .executeTakeFirstOrThrow();
  onHost(cvm.teepod_id);
  const teepod = await db
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', cvm.teepod_id)
    .executeTakeFirstOrThrow();
  const log = worker.log.child({
    request_id: operation.request_id,
    correlation_id,
    operation: operation.type,
    cvm: cvm.public_id,
  });
  const run = new OperationRun({
    db,
    driver: (host) => worker.vmm.get(host),
    teepod,
    cvm,
    operation,
    owner: worker.id,
    signal: worker.stopping,
    log,
  });
  try {
    await work(run);
  } catch (error) {
    await end(run, worker, error);
  } finally {
    run.close();
  }
}

const BOOTS: ReadonlySet<string> = new Set(['deploy', 'start', 'restart', 'update', 'resize', 'move']);

async function work(run: OperationRun): Promise<void> {
  const { operation, log } = run;
  try {
    // Cancelled before this attempt: checked first of all, so that only taking back goes on.
    if (operation.cancel_requested_at) throw new Cancelled();
    run.checkDeadline('The operation');
    await (operation.type === 'move' ? moveCvm(run) : operationKinds[operation.type](run));
    log.info({ attempts: operation.attempts }, 'operation finished');
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    await undoOperation(run);
    log.info('operation cancelled');
    return;
  }
  if (BOOTS.has(operation.type) && !run.signal.aborted)
    await rememberImages(run).catch((error: unknown) =>
      log.debug({ err: error }, 'the images are not known'),
    );
}

async function end(run: OperationRun, worker: Worker, error: unknown): Promise<void> {
  if (error instanceof AlreadyFinished) return;
  if (error instanceof LeaseLost || run.signal.aborted) {
    // Given back at once, so that the next process need not wait for the lease to run out.
    await worker.db
      .updateTable('operations')
      .set({ lease_owner: null, lease_until: null })
      .where('id', '=', run.operation.id)
      .where('lease_owner', '=', worker.id)
      .execute();
    return;
  }
  const failure = failureOf(error);
  if (failure.code === 'INTERNAL') {
    run.log.error({ err: error }, 'operation failed unexpectedly');
    // A database that is restarted, say. Steps are safe to repeat, so the lease is left to run out and somebody tries
    // again, a few times and within the deadline.
    if (run.operation.attempts < ATTEMPTS && run.operation.deadline_at > new Date()) return;
  } else run.log.warn({ problem: failure.code }, `operation failed: ${failure.message}`);
  const reason = [failure.message, failure.advice].filter(Boolean).join(' ');
  await run
    .finish(
      'failed',
      { status: 'error', status_reason: reason.slice(0, 2000) },
      // What the recycle bin keeps is stopped: it goes on holding its disk only.
      async (trx) => {
        if (run.operation.type === 'purge') return;
        if (run.operation.type === 'move') await settleMove(trx, run.cvm.id);
        await holdExactly(trx, run.cvm.id, run.cvm);
      },
      failure,
    )
    .catch((lost: unknown) => {
      if (!(lost instanceof LeaseLost)) throw lost;
    });
}

function failureOf(error: unknown): OperationFailed {
  if (error instanceof OperationFailed) return error;
  if (error instanceof VmmError) {
    const code =
      error.kind === 'unreachable' || error.kind === 'timeout' ? 'HOST_UNREACHABLE' : 'HOST_REFUSED';
    return new OperationFailed(
      code,
      error.host_text ? `The host said: ${error.host_text}` : 'The host did not answer as expected.',
      'Try again; if it happens again, ask support with the correlation id.',
    );
  }
  return new OperationFailed(
    'INTERNAL',
    'Something failed inside the control plane.',
    'Try again; if it happens again, ask support with the correlation id.',
  );
}
