import type { CvmRow } from '../../db/cvms/cvmsTable';
import { busyProblem, type LiveOperation } from '../../domain/cvms/operationConflict';

/** @throws OPERATION_IN_PROGRESS naming the operation */
export function refuseBusy({ name }: Pick<CvmRow, 'name'>, live: LiveOperation | null | undefined): void {
  if (live) throw busyProblem(name, live);
}
