import { operationName, withArticle } from '../../../console/lib/cvms/operationWords';
import type { OperationType } from './cvmStates';
import { Problem } from '../core/problem';

export interface LiveOperation {
  type: OperationType;
  correlation_id: string;
  created_at: Date;
  rolls_back: boolean;
}

/** OPERATION_IN_PROGRESS naming the operation, if known. */
export function busyProblem(name: string, live: LiveOperation | null | undefined): Problem {
  if (!live)
    return new Problem('OPERATION_IN_PROGRESS', {
      message: `“${name}” is busy: another operation is in progress.`,
    });
  const { created_at, correlation_id } = live;
  const seconds = Math.max(1, Math.round((Date.now() - created_at.getTime()) / 1000));
  const since = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return new Problem('OPERATION_IN_PROGRESS', {
    message: `“${name}” is busy: ${withArticle(operationName(live))} that started ${since} ago is still in progress.`,
    details: [{ field: 'correlation_id', value: correlation_id }],
  });
}
