import type { TemplateInput } from '../../../../generated/api/types.gen';
import { wholly } from '../../../lib/public/template';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns random letters and digits: about 5.95 bits each. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      // Beyond a multiple of 62, the first letters would be likelier.
      if (byte < 248 && text.length < length) text += LETTERS[byte % LETTERS.length];
  return text;
}

/** Returns the values that a template's form starts with, by key. */
export const firstValues = (inputs: readonly TemplateInput[]): ReadonlyMap<string, string> =>
  new Map(
    inputs.map(({ key, default: value, generate }) => [
      key,
      generate === null ? (value ?? '') : randomText(generate),
    ]),
  );

/** Returns what is wrong with a value; undefined if it can be used. */
export function inputFault(input: TemplateInput, value: string): string | undefined {
  if (value === '')
    return input.required
      ? `Enter ${input.label.charAt(0).toLowerCase()}${input.label.slice(1)}.`
      : undefined;
  if (input.pattern === null || wholly(input.pattern).test(value)) return undefined;
  return input.description ?? `Doesn’t match the pattern ${input.pattern}.`;
}
