import { hasCode } from '../../../api/apiError';
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

/**
 * Whether what was reserved is no longer offered as it was: its price has risen, say, or its OS image was retired.
 * Another deployment gets what is offered now.
 */
export const isOfferOver = (error: unknown): boolean => hasCode(error, 'ERR-00-028');

/** Converts a failed deployment's error for display above the form. */
export function deployProblem(error: Error | null): Problem | null {
  if (error instanceof DeployRefused) return refusedProblem(error);
  const problem = formProblem(error, 'Couldn’t deploy');
  if (!problem || !isOfferOver(error)) return problem;
  // The server's advice is for API clients, which reserve and commit themselves.
  return {
    ...problem,
    title: 'Nothing was deployed',
    suggestions: ['The form now shows current prices and options. Check them, then deploy again.'],
  };
}

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
