import type { TemplateInput } from '../../../../generated/api/types.gen';
import { wholly } from '../../../lib/public/template';
import { randomText } from '../../../lib/secrets/randomText';

/**
 * Returns a template form's initial values, by key.
 * @param before those of an earlier version of the template, whose generated values are kept
 */
export const firstValues = (
  inputs: readonly TemplateInput[],
  before: Pick<FormValues, 'inputs' | 'first'> = { inputs: [], first: new Map() },
): ReadonlyMap<string, string> =>
  new Map(
    inputs.map(({ key, default: value, generate }) => {
      if (generate === null) return [key, value ?? ''];
      const isKept = before.inputs.some((one) => one.key === key && one.generate === generate);
      return [key, (isKept ? before.first.get(key) : undefined) ?? randomText(generate)];
    }),
  );

/** A form's values: those typed, and the initial ones of its template. */
export interface FormValues {
  inputs: readonly TemplateInput[];
  first: ReadonlyMap<string, string>;
  typed: ReadonlyMap<string, string>;
}

export const newForm = (inputs: readonly TemplateInput[]): FormValues => ({
  inputs,
  first: firstValues(inputs),
  typed: new Map(),
});

/** The same form after another member saved a new version of the template. */
export const onNewVersion = (form: FormValues, inputs: readonly TemplateInput[]): FormValues =>
  form.inputs === inputs ? form : { ...form, inputs, first: firstValues(inputs, form) };

export const valueIn = ({ first, typed }: FormValues, key: string): string =>
  typed.get(key) ?? first.get(key) ?? '';

/** Returns why a value is invalid; undefined if it is valid. */
export function inputFault(input: TemplateInput, value: string): string | undefined {
  if (value === '')
    return input.required
      ? `Enter ${input.label.charAt(0).toLowerCase()}${input.label.slice(1)}.`
      : undefined;
  if (input.pattern === null || wholly(input.pattern).test(value)) return undefined;
  return input.description ?? `Doesn’t match the pattern ${input.pattern}.`;
}
