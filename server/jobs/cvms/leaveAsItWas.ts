import type { CvmRow } from '../../db/cvms/cvmsTable';
import { statusReason } from '../../db/cvms/statusReason';
import { holdExactly } from '../../db/hosts/reservations';
import { AlreadyFinished, previous } from './bootCvm';
import type { OperationFailed, OperationRun } from './operationRun';

/** The host applied nothing, so the CVM continues as before; it is in error only if it already was. */
export async function leaveAsItWas(run: OperationRun, failure: OperationFailed): Promise<never> {
  const { status, desired } = previous(run);
  await run.finish(
    'failed',
    {
      status: status as CvmRow['status'],
      desired: desired as CvmRow['desired'],
      ...statusReason(status === 'error' ? failure.reason : null),
    },
    (trx) => holdExactly(trx, run.cvm.id, run.cvm),
    failure,
  );
  throw new AlreadyFinished();
}
