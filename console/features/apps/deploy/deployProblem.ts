import { problemOf } from '../../../api/problem';
import type { Problem } from '../../../ui/feedback/problem';
import { fieldErrorsOf } from './form';
import { DeployRefused } from './sealing';

/** Converts a refusal by this browser for display above the form. */
export const refusedProblem = ({ code, message, advice }: DeployRefused): Problem => ({
  title: code === 'contract_not_deployed' ? 'Nothing was deployed' : 'Stopped for safety',
  message,
  code,
  suggestions: [advice],
});

/** Converts a failed deployment's error for display above the form. */
export function deployProblem(error: Error | null): Problem | null {
  if (error instanceof DeployRefused) return refusedProblem(error);
  const problem = problemOf(error, 'Couldn’t deploy');
  const shown = Object.keys(fieldErrorsOf(error)).length;
  return problem && { ...problem, isAtField: shown > 0 && shown >= (problem.details ?? []).length };
}
