import { mediaParts } from './modalities';
import { sequencesOf, type ModelRequest } from './modelRequest';
import { microsOfPicos, PICOS_PER_MICRO, type TokenUsage } from './usage';
import type { TokenPrices } from './models';

/** The maximum tokens charged for a request. */
export interface TokenBounds {
  input: number;
  output: number;
  /** Both together: the model's context, times the number of times the request fills it. */
  context: number;
}

/** Tokens that a chat template can add to the messages, such as a system message. */
const TEMPLATE_TOKENS = 1024;

/**
 * Returns bounds set by the request itself: each token takes at least a byte of it. An image is any number of
 * tokens, so the context is then the only bound, as it is for an answer without `max_tokens`. Each of several
 * answers may fill the context.
 *
 * @param length of the model's context
 */
export function tokenBounds(request: ModelRequest, body_bytes: number, length: number): TokenBounds {
  const sequences = sequencesOf(request);
  const context = length * sequences;
  return {
    input: mediaParts(request).length === 0 ? Math.min(body_bytes + TEMPLATE_TOKENS, context) : context,
    output: Math.min(longestAnswer(request) ?? length, length) * sequences,
    context,
  };
}

/** The maximum tokens per answer allowed by the request; null if it leaves that to the model. */
function longestAnswer({ endpoint, given }: ModelRequest): number | null {
  switch (endpoint) {
    case 'chat.completions':
      // Model servers differ in which of the two they use.
      return Math.max(given.max_tokens ?? 0, given.max_completion_tokens ?? 0) || null;
    case 'completions':
      return given.max_tokens ?? null;
    case 'embeddings':
      return 0;
    case 'responses':
      return given.max_output_tokens ?? null;
  }
}

/** Caps usage at the bounds: a model server may report anything, and the team pays for it. */
export function withinBounds(usage: TokenUsage, bounds: TokenBounds): TokenUsage {
  const input_tokens = Math.min(usage.input_tokens, bounds.input);
  const output_tokens = Math.min(usage.output_tokens, bounds.output, bounds.context - input_tokens);
  return {
    input_tokens,
    cached_tokens: Math.min(usage.cached_tokens, input_tokens),
    output_tokens,
    reasoning_tokens: Math.min(usage.reasoning_tokens, output_tokens),
  };
}

/** Returns the maximum cost of usage within the bounds, in micro-dollars, rounded up. */
export function worstCaseMicros(bounds: TokenBounds, prices: TokenPrices): number {
  const input = Math.max(prices.input, prices.cached_input);
  const first = prices.output >= input ? 'output' : 'input';
  // As many as possible of the more expensive tokens, and the rest of the context with the others.
  const output_tokens = Math.min(bounds.output, bounds.context - (first === 'output' ? 0 : bounds.input));
  const input_tokens = Math.min(bounds.input, bounds.context - output_tokens);
  // The bounds of many answers with a long context are far beyond any real cost, and beyond exact numbers.
  const picos = BigInt(input_tokens) * BigInt(input) + BigInt(output_tokens) * BigInt(prices.output);
  return microsOfPicos(picos + BigInt(PICOS_PER_MICRO - 1));
}

/** Returns the maximum output tokens whose worst case costs at most this; null if even one costs more. */
export function affordableTokens(bounds: TokenBounds, prices: TokenPrices, micros: number): number | null {
  const costs = (output: number) => worstCaseMicros({ ...bounds, output }, prices);
  if (bounds.output <= 1 || costs(1) > micros) return null;
  let [fits, tooMany] = [1, bounds.output];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (costs(middle) <= micros) fits = middle;
    else tooMany = middle;
  }
  return fits;
}
