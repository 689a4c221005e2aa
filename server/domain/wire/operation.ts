import { problemCodes, problems, type ProblemCode } from '../../../generated/api/permissions.gen';
import type { Operation, OperationError } from '../../../generated/api/types.gen';
import type { ListedOperation } from '../../db/operationQueries';
import { cvmRef, iso, short, userRef } from './refs';

export function toOperation({ operation, cvm, requested_by }: ListedOperation): Operation {
  return {
    correlation_id: operation.correlation_id,
    type: operation.type,
    state: operation.state,
    target: operation.target as Operation['target'],
    cvm: cvmRef(cvm),
    requested_by: userRef(requested_by),
    steps: operation.steps.slice(-100).map((step) => ({
      name: step.name,
      state: step.state,
      detail: short(step.detail ?? null, 2000),
      started_at: step.started_at,
      finished_at: step.finished_at ?? null,
    })),
    error: operation.state === 'failed' ? errorOf(operation) : null,
    created_at: operation.created_at.toISOString(),
    started_at: iso(operation.started_at),
    finished_at: iso(operation.finished_at),
    deadline_at: operation.deadline_at.toISOString(),
  };
}

function errorOf({ error_code, error_message }: ListedOperation['operation']): OperationError {
  const code: ProblemCode =
    error_code !== null && error_code in problems ? (error_code as ProblemCode) : problemCodes.INTERNAL;
  const { title, what_to_do } = problems[code];
  return { code, message: short(error_message ?? title, 2000), what_to_do: what_to_do ?? '' };
}
