import { NO_USAGE, type CountedUsage, type TokenUsage } from './usage';

/** More than any request may ask for. */
const MAX_CHOICES = 10_000;

interface AnswerChoice {
  delta: Delta | null;
  text: string | null;
}

/** Texts are checked, the rest isn't. */
type Delta = Partial<Record<'content' | 'reasoning_content' | 'reasoning' | 'refusal', string | null>> & {
  tool_calls?: unknown;
  function_call?: unknown;
};

/** Members of an answer, or of a part of one, that the gateway reads. */
export interface AnswerPart {
  id: string | undefined;
  usage: unknown;
  error: unknown;
  /** For the Responses API: a part's type, and the answer so far. */
  type: string | undefined;
  delta: unknown;
  response: { id: string | undefined; usage: unknown } | null;
  /** Null if there are none, or they have a form that no client understands. */
  choices: AnswerChoice[] | null;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const stringOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const isText = (value: unknown): value is string | null | undefined =>
  typeof value === 'string' || value === null || value === undefined;

/**
 * Parses an answer or a part of one, without a schema, which would cost several times as much as parsing the
 * JSON: a stream has a part for each token. @returns null if it isn't an object
 */
export function parseAnswer(json: string): AnswerPart | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const { response } = value;
  return {
    id: stringOf(value.id),
    usage: value.usage,
    error: value.error,
    type: stringOf(value.type),
    delta: value.delta,
    response: isObject(response) ? { id: stringOf(response.id), usage: response.usage } : null,
    choices: choicesOf(value.choices),
  };
}

function choicesOf(value: unknown): AnswerChoice[] | null {
  if (!Array.isArray(value) || value.length > MAX_CHOICES) return null;
  const choices: AnswerChoice[] = [];
  for (const one of value as unknown[]) {
    if (!isObject(one) || !isText(one.text)) return null;
    const delta = one.delta ?? null;
    if (delta !== null && !isDelta(delta)) return null;
    choices.push({ delta, text: one.text ?? null });
  }
  return choices;
}

const isDelta = (value: unknown): value is Delta =>
  isObject(value) &&
  isText(value.content) &&
  isText(value.reasoning_content) &&
  isText(value.reasoning) &&
  isText(value.refusal);

/**
 * Returns the model server's counts; null if it reports none or implausible ones. Some report them with each
 * part.
 */
export const reportedUsage = (usage: unknown): TokenUsage | null =>
  isObject(usage) ? (chatUsage(usage) ?? responsesUsage(usage)) : null;

const chatUsage = (usage: Members) =>
  usageOf({
    input: usage.prompt_tokens,
    cached: detailOf(usage.prompt_tokens_details, 'cached_tokens'),
    output: usage.completion_tokens,
    reasoning: detailOf(usage.completion_tokens_details, 'reasoning_tokens'),
  });

/** The same in the Responses API. */
const responsesUsage = (usage: Members) =>
  usageOf({
    input: usage.input_tokens,
    cached: detailOf(usage.input_tokens_details, 'cached_tokens'),
    output: usage.output_tokens,
    reasoning: detailOf(usage.output_tokens_details, 'reasoning_tokens'),
  });

/**
 * Returns a member of usage details, which may be absent; NaN, which makes the usage implausible, if they are
 * no object.
 */
function detailOf(details: unknown, name: 'cached_tokens' | 'reasoning_tokens'): unknown {
  if (details === undefined || details === null) return undefined;
  return isObject(details) ? details[name] : Number.NaN;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

type Reported = Record<'input' | 'cached' | 'output' | 'reasoning', unknown>;

function usageOf(reported: Reported): TokenUsage | null {
  const { input } = reported;
  const [cached, output, reasoning] = [reported.cached ?? 0, reported.output ?? 0, reported.reasoning ?? 0];
  if (!isCount(input) || !isCount(cached) || !isCount(output) || !isCount(reasoning)) return null;
  return {
    input_tokens: input,
    cached_tokens: Math.min(cached, input),
    output_tokens: output,
    reasoning_tokens: Math.min(reasoning, output),
  };
}

/** Final events of a stream of the Responses API. */
const LAST = new Set(['response.completed', 'response.incomplete']);
const FAILED = new Set(['response.failed', 'error']);

export const isLast = ({ type = '' }: AnswerPart): boolean => LAST.has(type);
/** Whether the model server reports a failure. */
export const isFailure = ({ type = '', error }: AnswerPart): boolean => Boolean(error) || FAILED.has(type);

/** Bytes per token of usual texts and tokenizers. */
const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text whose model server doesn't report them. */
export const estimatedTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Returns the text that a model wrote, including the calls of tools. */
const saidIn = ({ content, reasoning_content, reasoning, refusal, ...delta }: Delta): string =>
  (content ?? '') +
  (reasoning_content ?? '') +
  (reasoning ?? '') +
  (refusal ?? '') +
  callText({ function: delta.function_call }) +
  (Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]).map(callText).join('') : '');

function callText(call: unknown): string {
  const { name, arguments: args } = isObject(call) && isObject(call.function) ? call.function : {};
  return (stringOf(name) ?? '') + (stringOf(args) ?? '');
}

/**
 * Counts a stream's tokens. Those that the model server hasn't reported yet are estimated: at least one for each part
 * with text.
 * @param estimatedInput called only if the input isn't reported
 */
export function createStreamMeter(estimatedInput: () => number) {
  let parts = 0;
  let bytes = 0;
  let counted: TokenUsage | null = null;
  const count = (said: string) => {
    if (said === '') return;
    parts++;
    bytes += Buffer.byteLength(said);
  };
  return {
    add(part: AnswerPart): void {
      const said = part.type?.endsWith('.delta') && typeof part.delta === 'string' ? part.delta : '';
      count(said);
      for (const { delta, text } of part.choices ?? []) count((delta ? saidIn(delta) : '') + (text ?? ''));
      const reported = reportedUsage(part.usage ?? part.response?.usage);
      if (reported) [counted, parts, bytes] = [reported, 0, 0];
    },
    usage(): CountedUsage {
      const unreported = Math.max(parts, estimatedTokens(bytes));
      const known = counted ?? { ...NO_USAGE, input_tokens: estimatedInput() };
      return {
        ...known,
        output_tokens: known.output_tokens + unreported,
        is_estimated: counted === null || unreported > 0,
      };
    },
  };
}
