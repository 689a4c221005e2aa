import * as z from 'zod';
import { NO_USAGE, type CountedUsage, type TokenUsage } from './usage';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** `usage` as model servers report it. */
const reported = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count.nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count.nullish() }).nullish(),
});

/** Members of an answer, or of a part of one, that the gateway reads. */
const answer = z.looseObject({
  id: z.string().optional().catch(undefined),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
  choices: z
    .array(
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
  if (!data) return null;
  const output_tokens = data.completion_tokens ?? 0;
  return {
    input_tokens: data.prompt_tokens,
    cached_tokens: Math.min(data.prompt_tokens_details?.cached_tokens ?? 0, data.prompt_tokens),
    output_tokens,
    reasoning_tokens: Math.min(data.completion_tokens_details?.reasoning_tokens ?? 0, output_tokens),
  };
}

/** Bytes per token of usual texts and tokenizers. */
const BYTES_PER_TOKEN = 4;

/** Tokens of a text whose model server doesn't report them. */
export const estimatedTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** Counts a stream's tokens until the model server reports them: at least one for each part with text. */
export function createStreamMeter(input_bytes: number) {
  let parts = 0;
  let bytes = 0;
  let counted: TokenUsage | null = null;
  return {
    add(part: AnswerPart): void {
      counted = reportedUsage(part.usage) ?? counted;
      for (const { delta, text } of part.choices ?? []) {
        const said = [delta?.content, delta?.reasoning_content, delta?.reasoning, text].join('');
        if (said === '') continue;
        parts++;
        bytes += Buffer.byteLength(said);
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
