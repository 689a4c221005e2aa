import { problemCodes, problems, type ProblemCode } from '../../../generated/api/permissions.gen';
import type { Operation, OperationError } from '../../../generated/api/types.gen';
import { cvmRef, iso, short, userRef, type CvmRefFields, type UserFields } from './refs';

export interface OperationFields {
  operation: {
    id: number;
    correlation_id: string;
    type: Operation['type'];
    state: Operation['state'];
    target: string;
    steps: readonly {
      name: string;
      state: 'running' | 'done' | 'failed';
      started_at: string;
      finished_at?: string;
      detail?: string;
    }[];
    error_code: string | null;
    error_message: string | null;
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
    deadline_at: Date;
  };
  cvm: CvmRefFields;
  requested_by: UserFields | null;
}

export function toOperation({ operation, cvm, requested_by }: OperationFields): Operation {
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

function errorOf({ error_code, error_message }: OperationFields['operation']): OperationError {
  const code: ProblemCode =
    error_code !== null && error_code in problems ? (error_code as ProblemCode) : problemCodes.INTERNAL;
  const { title, what_to_do } = problems[code];
  return { code, message: short(error_message ?? title, 2000), what_to_do: what_to_do ?? '' };
}
