import type { TeamAiModel, TeamAiModelPatch } from '../../../generated/api/types.gen';
import { ownValue } from '../../lib/ownValue';
import { count } from '../../lib/texts/count';
import { chosenOf, INPUTS, OUTPUTS } from '../../lib/ai/modalities';
import { MAX_CONTEXT_TOKENS } from '../../lib/ai/modelLimits';

/** Form input as typed, under the API's names. */
export interface TeamModelValues {
  name: string;
  description: string;
  context_length: string;
  /** Separated by commas, like the next two. */
  endpoints: string;
  input_modalities: string;
  output_modalities: string;
}
export type TeamModelFaults = Partial<Record<keyof TeamModelValues, string>>;

const ENDPOINT_IDS: readonly TeamAiModel['endpoints'][number][] = [
  'chat.completions',
  'completions',
  'embeddings',
  'responses',
];
export const ENDPOINTS = ENDPOINT_IDS.map((value) => ({ value, label: `/v1/${value.replace('.', '/')}` }));

export const valuesOf = (model: TeamAiModel): TeamModelValues => ({
  name: model.name,
  description: model.description,
  context_length: String(model.context_length),
  endpoints: model.endpoints.join(','),
  input_modalities: model.input_modalities.join(','),
  output_modalities: model.output_modalities.join(','),
});

/** Reads the changed fields from a 412 response. */
export function readChanged(
  changed: Readonly<Record<string, unknown>>,
  base: TeamModelValues,
): TeamModelValues {
  const texts = Object.keys(base)
    .filter((name) => Object.hasOwn(changed, name))
    .map((name) => [name, String(ownValue(changed, name) ?? '')]);
  return { ...base, ...Object.fromEntries(texts) };
}

/** The same checks as the server's. */
export function faultsOf(values: TeamModelValues): TeamModelFaults {
  const faults: TeamModelFaults = {};
  if (values.name.trim() === '') faults.name = 'Enter a name.';
  if (!/^[1-9]\d*$/.test(values.context_length) || Number(values.context_length) > MAX_CONTEXT_TOKENS)
    faults.context_length = `Enter a whole number of tokens from 1 to ${count(MAX_CONTEXT_TOKENS)}.`;
  if (values.endpoints === '') faults.endpoints = 'Select at least one endpoint.';
  return faults;
}

export const toPatch = (values: TeamModelValues): TeamAiModelPatch => ({
  name: values.name.trim(),
  description: values.description.trim(),
  context_length: Number(values.context_length),
  endpoints: chosenOf(ENDPOINTS, values.endpoints),
  input_modalities: chosenOf(INPUTS, values.input_modalities),
  output_modalities: chosenOf(OUTPUTS, values.output_modalities),
});
