import type { CvmRow, OperationRow } from '../../db/schema';
import { Problem } from '../../domain/problem';

/** @throws OPERATION_IN_PROGRESS naming the operation */
export function refuseBusy(cvm: Pick<CvmRow, 'name'>, live: OperationRow | null): void {
  if (!live) return;
  throw new Problem('OPERATION_IN_PROGRESS', {
    message: `“${cvm.name}” is busy: a ${live.type} that began ${live.created_at.toISOString()} is not finished.`,
    details: [{ field: 'correlation_id', value: live.correlation_id }],
  });
}
