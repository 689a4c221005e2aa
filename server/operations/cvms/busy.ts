import type { CvmRow } from '../../db/schema';
import { busyProblem, type LiveOperation } from '../../domain/busy';

/** @throws OPERATION_IN_PROGRESS naming the operation */
export function refuseBusy({ name }: Pick<CvmRow, 'name'>, live: LiveOperation | null | undefined): void {
  if (live) throw busyProblem(name, live);
}
