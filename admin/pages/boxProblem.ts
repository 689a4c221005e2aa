import type { Problem } from '../../console/ui/feedback/problem';

/**
 * Returns the part of a refusal to show in the form's error box, without what its inputs already show; null if
 * nothing is left.
 * @param shown names of the fields whose inputs show the server's message
 */
export function boxProblem(problem: Problem | null, shown: readonly string[]): Problem | null {
  if (problem === null) return null;
  const { details = [], ...rest } = problem;
  const beside = details.filter(({ field }) => shown.includes(field));
  if (beside.length === 0) return problem;
  const others = details.filter(({ field }) => !shown.includes(field));
  const { suggestions = [] } = problem;
  const isSaid = isCount(problem.message) || beside.some(({ message }) => message === problem.message);
  if (others.length === 0 && suggestions.length === 0 && isSaid) return null;
  return {
    ...rest,
    message: isSaid ? '' : problem.message,
    ...(others.length === 0 ? {} : { details: others }),
  };
}

/** "One value is invalid.", which inputs show better. */
const isCount = (message: string) => /^(One value is|\d+ values are) invalid\.$/.test(message);
