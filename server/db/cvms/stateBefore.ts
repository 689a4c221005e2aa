import { operationText } from '../../../console/lib/texts/operationTexts';
import type { OperationRow } from '../activity/operationsTable';
import { statusReason } from './statusReason';

/**
 * Returns the columns of a CVM from before its operation, which changed nothing. A stopped CVM stays stopped, also
 * when its restoration from the recycle bin, which starts it, is canceled.
 */
export function stateBefore({ payload: { previous } }: Pick<OperationRow, 'payload'>) {
  const status = previous?.status ?? 'error';
  const desired = status === 'stopped' ? 'stopped' : (previous?.desired ?? 'stopped');
  return { status, desired, ...statusReason(status === 'error' ? operationText('error_before') : null) };
}
