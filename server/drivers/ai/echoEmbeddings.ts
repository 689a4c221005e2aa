import type { EmbeddingsRequest } from '../../domain/ai/modelRequest';
import { ECHO } from '../../domain/ai/models';
import { invalidRequest } from '../../domain/ai/requestBody';
import { NO_USAGE, type TokenUsage } from '../../domain/ai/usage';
import { counted } from '../../../console/lib/texts/count';
import { echoTokens } from './echoTokens';

/** Vector length, unless the request wants a smaller one. */
const DIMENSIONS = 256;
/** Texts per request. The answer is built in memory, in the control plane's process. */
const MAX_TEXTS = 128;

/**
 * Returns vectors of length 1: each word adds to a position chosen by its hash, so texts that share words are
 * close. For trying search; it knows no meaning.
 *
 * @throws {AiError} 400 for a text longer than the model's context, or more dimensions than it has
 */
export function embeddingsOf(
  { model, dimensions, encoding_format }: EmbeddingsRequest,
  texts: readonly string[],
): { body: object; usage: TokenUsage } {
  const size = dimensions ?? DIMENSIONS;
  if (size > DIMENSIONS) throw invalidRequest(`This model has ${DIMENSIONS} dimensions.`, 'dimensions');
  if (texts.length > MAX_TEXTS)
    throw invalidRequest(`This model embeds up to ${MAX_TEXTS} texts per request.`, 'input');
  let input_tokens = 0;
  const data = texts.map((text, index) => {
    const tokens = echoTokens(text);
    if (tokens.length > ECHO.context_length)
      throw invalidRequest(
        `Text ${index + 1} has ${counted(tokens.length, ['token', 'tokens'])}; this model's context holds ${ECHO.context_length}.`,
        'input',
        'context_length_exceeded',
      );
    input_tokens += tokens.length;
    const vector = vectorOf(tokens, size);
    return {
      object: 'embedding',
      index,
      embedding: encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector],
    };
  });
  const usage = { ...NO_USAGE, input_tokens };
  return {
    body: {
      object: 'list',
      data,
      model,
      usage: { prompt_tokens: input_tokens, total_tokens: input_tokens },
    },
    usage,
  };
}

function vectorOf(tokens: readonly string[], size: number): Float32Array {
  const sums = new Float64Array(size);
  for (const token of tokens) {
    const place = hashOf(token.trim().toLowerCase()) % size;
    sums[place] = (sums[place] ?? 0) + 1;
  }
  const length = Math.hypot(...sums) || 1;
  return Float32Array.from(sums, (sum) => sum / length);
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
