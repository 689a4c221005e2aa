import * as z from 'zod';
import { listOf } from './boundedLists';
import { NO_USAGE, type CountedUsage, type TokenUsage } from './usage';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** `usage` as model servers report it. */
const reported = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count.nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count.nullish() }).nullish(),
});

/** The same in the Responses API. */
const reportedOfResponse = z.looseObject({
  input_tokens: count,
  output_tokens: count.nullish(),
  input_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
  output_tokens_details: z.looseObject({ reasoning_tokens: count.nullish() }).nullish(),
});

/** More than any request may ask for. */
const MOST_CHOICES = 10_000;

/** Members of an answer, or of a part of one, that the gateway reads. */
const answer = z.looseObject({
  id: z.string().optional().catch(undefined),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
  /** Of the Responses API: what a part is, and the answer so far. */
  type: z.string().optional().catch(undefined),
  delta: z.unknown().optional(),
  response: z
    .looseObject({ id: z.string().optional().catch(undefined), usage: z.unknown().optional() })
    .nullish()
    .catch(null),
  choices: listOf(
    z.looseObject({
      delta: z
        .looseObject({
          content: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          reasoning: z.string().nullish(),
        })
        .nullish(),
      text: z.string().nullish(),
    }),
    { most: MOST_CHOICES },
  )
    .nullish()
    .catch(null),
});

export type AnswerPart = z.infer<typeof answer>;

/** @returns null if it isn't an object, or one that no client understands */
export function parseAnswer(json: string): AnswerPart | null {
  try {
    return answer.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** Returns what the model server counted; null if it reports nothing that makes sense. */
export function reportedUsage(usage: unknown): TokenUsage | null {
  const { data } = reported.safeParse(usage);
  if (data)
    return usageOf({
      input: data.prompt_tokens,
      cached: data.prompt_tokens_details?.cached_tokens,
      output: data.completion_tokens,
      reasoning: data.completion_tokens_details?.reasoning_tokens,
    });
  const response = reportedOfResponse.safeParse(usage).data;
  if (!response) return null;
  return usageOf({
    input: response.input_tokens,
    cached: response.input_tokens_details?.cached_tokens,
    output: response.output_tokens,
    reasoning: response.output_tokens_details?.reasoning_tokens,
  });
}

type Reported = Record<'cached' | 'output' | 'reasoning', number | null | undefined> & { input: number };

const usageOf = ({ input, cached, output, reasoning }: Reported): TokenUsage => ({
  input_tokens: input,
  cached_tokens: Math.min(cached ?? 0, input),
  output_tokens: output ?? 0,
  reasoning_tokens: Math.min(reasoning ?? 0, output ?? 0),
});

/** Last events of a stream of the Responses API. */
const LAST = new Set(['response.completed', 'response.incomplete']);
const FAILED = new Set(['response.failed', 'error']);

export const isLast = ({ type = '' }: AnswerPart): boolean => LAST.has(type);
/** Whether the model server says that it failed. */
export const isFailure = ({ type = '', error }: AnswerPart): boolean => Boolean(error) || FAILED.has(type);

/** Bytes per token of usual texts and tokenizers. */
const BYTES_PER_TOKEN = 4;

/** Tokens of a text whose model server doesn't report them. */
export const estimatedTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Counts a stream's tokens until the model server reports them: at least one for each part with text. */
export function createStreamMeter(input_bytes: number) {
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
      counted = reportedUsage(part.usage ?? part.response?.usage) ?? counted;
      const said = part.type?.endsWith('.delta') && typeof part.delta === 'string' ? part.delta : '';
      count(said);
      for (const { delta, text } of part.choices ?? []) {
        count([delta?.content, delta?.reasoning_content, delta?.reasoning, text].join(''));
      }
    },
    usage: (): CountedUsage =>
      counted
        ? { ...counted, is_estimated: false }
        : {
            ...NO_USAGE,
            input_tokens: estimatedTokens(input_bytes),
            output_tokens: Math.max(parts, estimatedTokens(bytes)),
            is_estimated: true,
          },
  };
}
