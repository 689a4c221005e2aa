import { ownValue } from '../../../console/lib/ownValue';
import { inputNames, type InputModality, type OutputModality } from '../../../console/lib/ai/modalities';
import { AiError } from './aiError';
import type { ModelRequest } from './modelRequest';
import type { ResponsesRequest } from './responsesRequest';

/** What a model reads and writes; either may be empty if it isn't known. */
export interface Modalities {
  input_modalities: readonly InputModality[];
  output_modalities: readonly OutputModality[];
}

/** Types of content parts, with what a model reads them as: those of the API, and those that vLLM and SGLang add. */
const MODALITIES: Readonly<Record<string, InputModality>> = {
  text: 'text',
  refusal: 'text',
  input_text: 'text',
  output_text: 'text',
  summary_text: 'text',
  reasoning_text: 'text',
  image_url: 'image',
  input_image: 'image',
  input_audio: 'audio',
  audio_url: 'audio',
  video_url: 'video',
  input_video: 'video',
  file: 'file',
  input_file: 'file',
};

const modalityOf = (type: string): InputModality | null => ownValue(MODALITIES, type) ?? null;

/** Content of a request besides text. */
interface MediaPart {
  /** Null for a type that only some model servers know. */
  modality: InputModality | null;
  /** Its place in the request, as error messages name it. */
  param: string;
}

interface Part {
  type: string;
}

/** Returns the parts of a request that aren't text, such as images, in order. */
export function mediaParts({ endpoint, given }: ModelRequest): MediaPart[] {
  switch (endpoint) {
    case 'chat.completions':
      return given.messages.flatMap(({ content }, index) => partsIn(content, `messages[${index}].content`));
    case 'responses':
      return partsOfInput(given);
    case 'completions':
    case 'embeddings':
      return [];
  }
}

const partsOfInput = ({ input }: ResponsesRequest): MediaPart[] =>
  typeof input === 'string'
    ? []
    : input.flatMap(({ content, output }, index) => [
        ...partsIn(content, `input[${index}].content`),
        ...partsIn(output, `input[${index}].output`),
      ]);

const NONE: readonly MediaPart[] = [];

function partsIn(given: string | readonly Part[] | null | undefined, param: string): readonly MediaPart[] {
  if (!Array.isArray(given)) return NONE;
  return (given as readonly Part[]).flatMap(({ type }, index) => {
    const modality = modalityOf(type);
    return modality === 'text' ? [] : [{ modality, param: `${param}[${index}]` }];
  });
}

/**
 * Refuses content that the model isn't known to read, so that no model server gets it. What a model of unknown
 * input reads is left to its server, as are types of content that only some servers know.
 * @param media the result of `mediaParts`
 * @throws {AiError} 400 naming the first such part
 */
export function requireReadable(
  media: readonly MediaPart[],
  { id, input_modalities }: Pick<Modalities, 'input_modalities'> & { id: string },
): void {
  if (input_modalities.length === 0) return;
  const unread = media.find(({ modality }) => modality !== null && !input_modalities.includes(modality));
  if (!unread?.modality) return;
  const [name] = inputNames([unread.modality]);
  throw new AiError(
    400,
    'invalid_request_error',
    'unsupported_modality',
    `The model “${id}” doesn’t read ${name}. It reads ${listed(inputNames(input_modalities))}.`,
    { param: unread.param },
  );
}

/** "text, images and files". */
const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');

/** Returns "text+image->text", as catalogs of models write it. */
export const modalityText = (input: readonly InputModality[], output: readonly OutputModality[]): string =>
  `${input.join('+')}->${output.join('+')}`;
