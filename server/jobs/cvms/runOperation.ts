import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { holdExactly, settleMove } from '../../db/hosts/reservations';
import { cvmOnHost } from '../../db/cvms/cvmOnHost';
import { claimOperation, operationLeases } from '../../db/activity/operations';
import { withoutHostPaths } from '../../domain/hosts/hostText';
import type { ChainDriver } from '../../drivers/chain';
import { inSpan, type Span, type Tracing } from '../../drivers/tracing';
import { VmmError, type VmmRegistry } from '../../drivers/vmm';
import { AlreadyFinished, Cancelled, LeaseLost, OperationFailed } from './operationErrors';
import { operationKinds } from './operationKinds';
import { rememberImages } from '../hosts/images';
import { moveCvm } from './moveCvm';
import { OperationRun } from './operationRun';
import { undoOperation } from './undoOperation';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { join } from '../../../console/lib/texts/text';
import { statusReason } from '../../db/cvms/statusReason';

export interface Worker {
  db: Db;
  vmm: VmmRegistry;
  chain: ChainDriver;
  log: Logger;
  /** Null without tracing. */
  tracing: Tracing | null;
  /** Names this process in leases. */
  id: string;
  /** Aborted when the process drains: operations are left to others and their leases released. */
  stopping: AbortSignal;
}

/** Attempts before an unexpected error ends an operation. */
const ATTEMPTS = 5;

/**
 * Claims one operation and runs it until it has ended, the lease is lost or the process stops. Safe to call
 * any number of times from any number of processes: only the lease holder acts. `onHost` receives the
 * operation's host.
 */
export async function runOperation(
  worker: Worker,
  correlation_id: string,
  onHost: (teepod_id: number) => void,
): Promise<void> {
  const { db } = worker;
  const claimed_at = performance.now();
  const operation = await claimOperation(db, correlation_id, worker.id);
  if (!operation) return;
  const { cvm, teepod } = await cvmOnHost(db, operation.cvm_id);
  onHost(teepod.id);
  // Each attempt is its own span below the request that started the operation, whichever process served that.
  const span = worker.tracing?.start(`operation ${operation.type}`, {
    kind: 'consumer',
    parent: operation.traceparent,
    attributes: {
      'teehouse.operation.type': operation.type,
      'teehouse.operation.attempt': operation.attempts,
      'teehouse.correlation_id': correlation_id,
      'teehouse.request_id': operation.request_id ?? undefined,
      'teehouse.cvm': cvm.public_id,
    },
  });
  const log = worker.log.child({
    request_id: operation.request_id,
    ...(span ? { trace_id: span.trace_id } : {}),
    correlation_id,
    operation: operation.type,
    cvm: cvm.public_id,
  });
  const run = new OperationRun({
    db,
    chain: worker.chain,
    driver: (host) => worker.vmm.get(host),
    teepod,
    cvm,
    operation,
    owner: worker.id,
    claimed_at,
    signal: worker.stopping,
    log,
  });
  try {
    await inSpan(span, async () => {
      try {
        await work(run);
      } catch (error) {
        await end(run, worker, error);
      }
    });
  } finally {
    run.close();
    endSpan(span, run);
  }
}

/** An operation that hasn't ended continues elsewhere or later: this process stops, lost the lease, or retries. */
function endSpan(span: Span | undefined, { ended }: OperationRun): void {
  span?.end({
    attributes: {
      'teehouse.operation.state': ended?.state ?? 'unfinished',
      'teehouse.error_code': ended?.error_code,
    },
    is_error: ended?.state === 'failed',
  });
}

const BOOTS: ReadonlySet<string> = new Set(['deploy', 'start', 'restart', 'update', 'resize', 'move']);

async function work(run: OperationRun): Promise<void> {
  const { operation, log } = run;
  try {
    // Checked first: after a cancellation before this attempt, only the undo continues.
    if (operation.cancel_requested_at) throw new Cancelled();
    run.checkDeadline(operationText('deadline_passed', { phase: 'operation' }));
    await (operation.type === 'move' ? moveCvm(run) : operationKinds[operation.type](run));
    log.info({ attempts: operation.attempts }, 'operation finished');
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    await undoOperation(run);
    log.info('operation canceled');
    return;
  }
  if (BOOTS.has(operation.type) && !run.signal.aborted)
    await rememberImages(run).catch((error: unknown) =>
      log.debug({ err: error }, "couldn't record container images"),
    );
}

async function end(run: OperationRun, worker: Worker, error: unknown): Promise<void> {
  if (error instanceof AlreadyFinished) return;
  if (error instanceof LeaseLost || run.signal.aborted) {
    // Released immediately, so that the next process need not wait for the lease to expire.
    await operationLeases.release(worker.db, run.operation.id, worker.id);
    return;
  }
  const failure = failureOf(error);
  if (failure.code === 'INTERNAL') {
    run.log.error({ err: error }, 'operation failed unexpectedly');
    // For example after a database restart. Steps are idempotent, so the lease is left to expire and another
    // worker retries, a few times and within the deadline.
    if (run.operation.attempts < ATTEMPTS && run.operation.deadline_at > new Date()) return;
  } else run.log.warn({ problem: failure.code }, `operation failed: ${failure.message}`);
  const reason = failure.advice ? join(failure.reason, failure.advice) : failure.reason;
  await run
    .finish(
      'failed',
      { status: 'error', ...statusReason(reason) },
      // A CVM in the recycle bin is stopped: it holds only its disk.
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
      error.host_text
        ? operationText('host_said', { text: withoutHostPaths(error.host_text) })
        : operationText('host_unexpected'),
      operationText('advice_retry'),
    );
  }
  return new OperationFailed('INTERNAL', operationText('internal_error'), operationText('advice_retry'));
}
