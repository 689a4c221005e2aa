import type { TemplateInput } from '../../../../generated/api/types.gen';
import { wholly } from '../../../lib/public/template';
import { randomText } from '../../../lib/secrets/randomText';

/** Returns a template form's initial values, by key. */
export const firstValues = (inputs: readonly TemplateInput[]): ReadonlyMap<string, string> =>
  new Map(
    inputs.map(({ key, default: value, generate }) => [
      key,
      generate === null ? (value ?? '') : randomText(generate),
    ]),
  );

/** Returns why a value is invalid; undefined if it is valid. */
export function inputFault(input: TemplateInput, value: string): string | undefined {
  if (value === '')
    return input.required
      ? `Enter ${input.label.charAt(0).toLowerCase()}${input.label.slice(1)}.`
      : undefined;
  if (input.pattern === null || wholly(input.pattern).test(value)) return undefined;
  return input.description ?? `Doesn’t match the pattern ${input.pattern}.`;
}
