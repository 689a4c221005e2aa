import { stateBefore } from '../../db/cvms/stateBefore';
import { statusReason } from '../../db/cvms/statusReason';
import { holdExactly } from '../../db/hosts/reservations';
import { AlreadyFinished, type OperationFailed } from './operationErrors';
import type { OperationRun } from './operationRun';

/** The host applied nothing, so the CVM continues as before; it is in error only if it already was. */
export async function failUnchanged(run: OperationRun, failure: OperationFailed): Promise<never> {
  const before = stateBefore(run.operation);
  await run.finish(
    'failed',
    { ...before, ...statusReason(before.status === 'error' ? failure.reason : null) },
    (trx) => holdExactly(trx, run.cvm.id, run.cvm),
    failure,
  );
  throw new AlreadyFinished();
}
