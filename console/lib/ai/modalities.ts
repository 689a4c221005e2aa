import type { AiModel } from '../../../generated/api/types.gen';

/** What models read and write, in the API's terms. Server and browser describe it with this module. */

export type InputModality = AiModel['input_modalities'][number];
export type OutputModality = AiModel['output_modalities'][number];

export const INPUTS: readonly { value: InputModality; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Images' },
  { value: 'audio', label: 'Audio' },
  { value: 'video', label: 'Video' },
  { value: 'file', label: 'Files' },
];

export const OUTPUTS: readonly { value: OutputModality; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Images' },
  { value: 'audio', label: 'Audio' },
  { value: 'embeddings', label: 'Embeddings' },
];

/** Help of the field that sets what a model reads. */
export const READS_HELP =
  'Requests with other content are refused. If none are selected, every request is forwarded.';

interface Stated {
  input_modalities: readonly InputModality[];
  output_modalities: readonly OutputModality[];
  endpoints: readonly AiModel['endpoints'][number][];
}

/** "Text, images": the labels of these values as one phrase. */
function phrase<V extends string>(
  choices: readonly { value: V; label: string }[],
  values: readonly V[],
): string {
  const labels = choices.filter(({ value }) => values.includes(value)).map(({ label }) => label);
  return labels.map((label, index) => (index === 0 ? label : label.toLowerCase())).join(', ');
}

/** Returns what these are called in a sentence, in the order of `INPUTS`. */
export const inputNames = (values: readonly InputModality[]): string[] =>
  INPUTS.filter(({ value }) => values.includes(value)).map(({ label }) => label.toLowerCase());

/** Returns what a model reads, as a phrase. */
export const readsText = ({ input_modalities }: Pick<Stated, 'input_modalities'>): string =>
  input_modalities.length === 0 ? 'Not specified' : phrase(INPUTS, input_modalities);

/** Returns what a model writes: what is set, or what its endpoints return. */
export function outputsOf({
  endpoints,
  output_modalities,
}: Pick<Stated, 'endpoints' | 'output_modalities'>): OutputModality[] {
  if (output_modalities.length > 0) return [...output_modalities];
  return [
    ...(endpoints.some((one) => one !== 'embeddings') ? ['text' as const] : []),
    ...(endpoints.includes('embeddings') ? ['embeddings' as const] : []),
  ];
}

export const writesText = (model: Pick<Stated, 'endpoints' | 'output_modalities'>): string =>
  phrase(OUTPUTS, outputsOf(model));

/** Returns the values in a comma-separated text, in the order of the choices. */
export const chosenOf = <V extends string>(choices: readonly { value: V }[], text: string): V[] =>
  choices.map(({ value }) => value).filter((value) => text.split(',').includes(value));

/** A filter of a list of models. */
export interface ModalityFilter {
  reads?: InputModality | undefined;
  writes?: OutputModality | undefined;
}

/** Whether a model is known to read and write these. */
export const matchesModalities = (model: Stated, { reads, writes }: ModalityFilter): boolean =>
  (reads === undefined || model.input_modalities.includes(reads)) &&
  (writes === undefined || outputsOf(model).includes(writes));
