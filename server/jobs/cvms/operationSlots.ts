import { operationLeases, orphanedOperations } from '../../db/activity/operations';
import { deadExcept } from '../core/workerId';
import { runOperation, type Worker } from './runOperation';

/** The operations that one worker runs concurrently. */
interface OperationSlots {
  /** Starts an operation that this worker was woken for. Returns false if it has no slot for it now. */
  wake(correlation_id: string): boolean;
  /** Starts operations that no worker holds, as far as slots are free. */
  sweep(): Promise<void>;
  /** Resolves when none is running. */
  idle(): Promise<void>;
}

/** Starts nothing once the worker drains. @param concurrency maximum number of operations */
export function createOperationSlots(worker: Worker, concurrency: number): OperationSlots {
  const running = new Map<string, { done: Promise<void>; teepod_id: number | null }>();

  // A job is only a wake-up: the operation continues here under its own lease after the job is done.
  const begin = (correlation_id: string, teepod_id: number | null): boolean => {
    if (running.has(correlation_id)) return true;
    if (running.size >= concurrency || worker.stopping.aborted) return false;
    const one = { done: Promise.resolve(), teepod_id };
    running.set(correlation_id, one);
    one.done = runOperation(worker, correlation_id, (teepod_id) => (one.teepod_id = teepod_id))
      .catch((error: unknown) =>
        worker.log.error({ err: error, correlation_id }, 'failed to process an operation; retrying'),
      )
      .finally(() => running.delete(correlation_id));
    return true;
  };

  // A hanging host delays its own operations up to their deadlines, but not those of other hosts.
  const perHost = Math.ceil(concurrency / 3);
  const onHost = (teepod_id: number) =>
    [...running.values()].filter((one) => one.teepod_id === teepod_id).length;
  const fullHosts = () =>
    [...new Set([...running.values()].flatMap((one) => one.teepod_id ?? []))].filter(
      (teepod_id) => onHost(teepod_id) >= perHost,
    );

  return {
    // The host of a woken operation is not known yet, so half the slots belong to the sweep, which knows it.
    wake: (correlation_id) => running.size < concurrency / 2 && begin(correlation_id, null),
    async sweep() {
      // Operations of a process killed on this machine resume immediately; others resume when their lease
      // expires.
      await operationLeases.releaseHeldBy(worker.db, deadExcept(worker.id));
      for (const { correlation_id, teepod_id } of await orphanedOperations(worker.db, fullHosts()))
        if (onHost(teepod_id) < perHost) begin(correlation_id, teepod_id);
    },
    async idle() {
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}
