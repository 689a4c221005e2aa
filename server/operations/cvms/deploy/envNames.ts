import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { validateEnv } from '../../../../console/lib/compose/envRules';
import { Problem } from '../../../domain/core/problem';

/**
 * Returns the names of the environment's variables if the guest accepts them; it aborts the boot over an invalid one.
 * @param at path of the list in the request
 * @throws INVALID_REQUEST
 */
export function checkedNames(names: readonly string[], at: string): string[] {
  const wrong = validateEnv(names.map((key) => ({ key, value: '' }))).filter(
    ({ severity }) => severity === 'error',
  );
  const [first] = wrong;
  if (!first) return [...names];
  throw new Problem('INVALID_REQUEST', {
    message:
      first.key === undefined
        ? first.message
        : `Invalid variable name “${cutWhole(first.key, 64)}”: ${first.message}`,
    details: wrong.slice(0, 20).map(({ key, message }) => ({
      field: `${at}allowed_envs`,
      message,
      ...(key === undefined ? {} : { value: key }),
    })),
    suggestions: ['Rename the variable here and in the Compose file.'],
  });
}
