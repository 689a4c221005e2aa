import { isReservedSlug, slugProblem } from '../../../console/lib/ids';
import { tidyName } from '../../domain/accounts/username';
import { Problem } from '../../domain/core/problem';
import { invalidField } from '../core/invalid';

/**
 * Returns the name without characters that hide or reorder text, like a user's name. @throws VALIDATION_FAILED if
 * nothing is left
 */
export function checkedName(given: string): string {
  const name = tidyName(given);
  if (name === '') throw invalidField('name', 'Enter at least one visible character.');
  return name;
}

/** @throws SLUG_RESERVED, VALIDATION_FAILED */
export function checkSlug(slug: string, alsoReserved: readonly string[]): void {
  if (isReservedSlug(slug, alsoReserved))
    throw new Problem('SLUG_RESERVED', { details: [{ field: 'slug', message: `“${slug}” is reserved.` }] });
  const problem = slugProblem(slug, alsoReserved);
  if (problem !== null) throw invalidField('slug', problem);
}

export const slugTaken = () =>
  new Problem('SLUG_TAKEN', {
    details: [{ field: 'slug', message: 'This slug is or was used by another team.' }],
  });
