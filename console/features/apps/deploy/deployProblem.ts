import { problemOf } from '../../../api/problem';
import type { Problem } from '../../../ui/feedback/problem';
import { fieldErrorsOf, type FieldName } from './form';
import { DeployRefused } from './sealing';

/** Converts a refusal by this browser for display above the form. */
export const refusedProblem = ({ code, message, advice }: DeployRefused): Problem => ({
  title: code === 'contract_not_deployed' ? 'Nothing was deployed' : 'Stopped for safety',
  message,
  code,
  suggestions: [advice],
});

/** Converts a failed deployment's error for display above the form. */
export const deployProblem = (error: Error | null): Problem | null =>
  error instanceof DeployRefused ? refusedProblem(error) : formProblem(error, 'Couldn’t deploy');

/**
 * Converts a failed request's error for display beside fields that show their part of it.
 * @param fields the form's fields; by default, all that a server error can name
 */
export function formProblem(
  error: Error | null,
  title: string,
  fields?: readonly FieldName[],
): Problem | null {
  const problem = problemOf(error, title);
  const named = Object.keys(fieldErrorsOf(error)) as FieldName[];
  const isAtField =
    named.length > 0 &&
    named.length >= (problem?.details ?? []).length &&
    named.every((name) => fields?.includes(name) ?? true);
  return problem && { ...problem, isAtField };
}
