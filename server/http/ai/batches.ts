import { endsWithin } from '../../../console/lib/endsWithin';
import { errorCode } from '../../db/core/client';

interface Waiting<I, O> {
  item: I;
  resolve: (result: O) => void;
  reject: (error: unknown) => void;
}

interface Options<I, O> {
  /**
   * Returns a result for each item, in order. An error means that nothing was done for any of them, or that the
   * run can safely be repeated.
   */
  run: (items: readonly I[]) => Promise<readonly O[]>;
  /** Maximum items per run. */
  most: number;
  /** Items of different groups don't wait for each other. */
  groupOf?: (item: I) => number;
  /**
   * Minimum milliseconds between the starts of runs while several items arrive together, to make batches larger.
   * A lone item doesn't wait. If 0, a run follows the previous one immediately.
   */
  gather_ms?: number;
  /** How long items wait for the run before them: a hanging connection must not block all. Unlimited if absent. */
  patience_ms?: number;
}

/** data_exception and integrity_constraint_violation: other errors would affect every item. */
const isOfOneItem = (error: unknown) => /^2[23]/.test(errorCode(error) ?? '');

/**
 * Collects the items that arrive while a run is in progress and passes them to the next one together, so that many
 * concurrent requests cost one round trip. A lone item doesn't wait.
 */
export function createBatches<I, O>({
  run,
  most,
  groupOf = () => 0,
  gather_ms = 0,
  patience_ms,
}: Options<I, O>): (item: I) => Promise<O> {
  const groups = new Map<number, Waiting<I, O>[]>();

  const runTogether = async (batch: readonly Waiting<I, O>[]): Promise<void> => {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
  };
  const runBatch = async (batch: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      await runTogether(batch);
    } catch (error) {
      if (batch.length > 1 && isOfOneItem(error))
        for (const one of batch) await runTogether([one]).catch(one.reject);
      else for (const { reject } of batch) reject(error);
    }
  };
  const runGroup = async (group: number, waiting: Waiting<I, O>[]): Promise<void> => {
    while (waiting.length > 0) {
      const began = performance.now();
      const batch = waiting.splice(0, most);
      const run = runBatch(batch);
      await (patience_ms === undefined ? run : endsWithin(run, patience_ms));
      const early = began + gather_ms - performance.now();
      if (batch.length > 1 && early > 0 && waiting.length < most)
        await new Promise((resolve) => setTimeout(resolve, early));
    }
    groups.delete(group);
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const group = groupOf(item);
      const waiting = groups.get(group);
      const own = { item, resolve, reject };
      if (waiting) return void waiting.push(own);
      const begun = [own];
      groups.set(group, begun);
      void runGroup(group, begun);
    });
}
