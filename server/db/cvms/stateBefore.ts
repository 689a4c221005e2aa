import { operationText } from '../../../console/lib/texts/operationTexts';
import type { CvmDesired, CvmStatus } from '../../domain/cvms/cvmStates';
import type { OperationRow } from '../activity/operationsTable';
import { statusReason } from './statusReason';

/**
 * Returns the columns of a CVM from before its operation, which changed nothing. A stopped CVM stays stopped, also
 * when its restoration from the recycle bin, which starts it, is canceled.
 */
export function stateBefore({ payload: { previous } }: Pick<OperationRow, 'payload'>) {
  const status = (previous?.status ?? 'error') as CvmStatus;
  const desired = status === 'stopped' ? 'stopped' : ((previous?.desired ?? 'stopped') as CvmDesired);
  return { status, desired, ...statusReason(status === 'error' ? operationText('error_before') : null) };
}
