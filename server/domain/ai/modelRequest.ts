import * as z from 'zod';
import type { AiModel } from '../../../generated/api/types.gen';
import { AiError } from './aiError';
import { listOf, texts, type Texts } from './boundedLists';
import { contentPart, type ContentPart } from './contentPart';
import { editMembers } from './jsonMembers';
import {
  invalidRequest,
  isSpelled,
  jsonText,
  readBody,
  refuseRepeated,
  serviceTier,
  spelled,
} from './requestBody';
import { readResponsesRequest, responsesText, type ResponsesRequest } from './responsesRequest';

/** A request's type, derived from its path: `/v1/chat/completions` is `chat.completions`. */
export type Endpoint = AiModel['endpoints'][number];

/** Characters of a model's name. */
export const MAX_MODEL_NAME = 200;

const tokens = z.number().int().min(1).nullish();
const MAX_ANSWERS = 128;
const answers = z.number().int().min(1).max(MAX_ANSWERS).nullish();

/** Members of every request that the gateway reads. */
const common = {
  model: z.string().min(1).max(MAX_MODEL_NAME),
  provider: z.looseObject({}).nullish(),
  service_tier: serviceTier,
};
/** Members of requests for an answer, which may be streamed. */
const generating = {
  ...common,
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokens,
  n: answers,
  // A model server keeps answers per account, where other teams' requests could read them. Absent, it decides.
  store: z
    .literal(false, { error: 'This gateway doesn’t store answers. Send false or leave it out' })
    .nullish(),
};

const parts = listOf(contentPart, { most: 1000 });
type Content = string | readonly ContentPart[] | null | undefined;
/** Not a union, which wouldn't say what is wrong with which part. */
const content = z.unknown().transform((given, ctx): Content => {
  if (typeof given === 'string' || given === null || given === undefined) return given;
  const { success, data, error } = parts.safeParse(given);
  if (success) return data;
  const [first] = error.issues;
  ctx.addIssue({ code: 'custom', message: first?.message ?? 'Invalid input', path: first?.path ?? [] });
  return z.NEVER;
});
const message = z
  .looseObject({
    role: z.string().min(1).max(50),
    content: content.optional(),
    audio: z
      .null({ error: 'References to earlier audio aren’t supported. Send the answer’s transcript as text' })
      .optional(),
  })
  .refine(isSpelled, spelled);

const chatRequest = z.looseObject({
  ...generating,
  messages: listOf(message, { least: 1, most: 10_000 }),
  max_completion_tokens: tokens,
  tools: z.unknown().optional(),
  functions: z.unknown().optional(),
  web_search_options: z
    .null({ error: 'Model servers charge for searches, so web search isn’t supported' })
    .optional(),
});

const completionRequest = z.looseObject({ ...generating, prompt: texts(128), best_of: answers });

const embeddingsRequest = z.looseObject({
  ...common,
  input: texts(2048),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().min(1).max(100_000).nullish(),
  stream: z.literal(false, { error: 'Embeddings can’t be streamed' }).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequest>;
export type ChatMessage = z.infer<typeof message>;
export type CompletionRequest = z.infer<typeof completionRequest>;
export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>;

/** A request, with the members that the gateway reads; all others are left to the model. */
export type ModelRequest =
  | { endpoint: 'chat.completions'; given: ChatRequest }
  | { endpoint: 'completions'; given: CompletionRequest }
  | { endpoint: 'embeddings'; given: EmbeddingsRequest }
  | { endpoint: 'responses'; given: ResponsesRequest };

/** Reads a request's body. @throws {AiError} 400 that names the first invalid member */
export function parseModelRequest(endpoint: Endpoint, body: Buffer): ModelRequest {
  switch (endpoint) {
    case 'chat.completions': {
      const given = readBody(chatRequest, body);
      refuseRepeated(body);
      return { endpoint, given };
    }
    case 'completions': {
      const request = { endpoint, given: readBody(completionRequest, body) };
      if (sequencesOf(request) > MAX_ANSWERS)
        throw invalidRequest(`A request can ask for up to ${MAX_ANSWERS} answers across all prompts.`, 'n');
      return request;
    }
    case 'embeddings':
      return { endpoint, given: readBody(embeddingsRequest, body) };
    case 'responses':
      return { endpoint, given: readResponsesRequest(body) };
  }
}

/** The path of its requests. */
export const pathOf = (endpoint: Endpoint) => `/v1/${endpoint.replace('.', '/')}`;

/** @throws {AiError} 400 unless the model supports such requests */
export function requireEndpoint(
  endpoint: Endpoint,
  model: { id: string; endpoints: readonly Endpoint[] },
): void {
  if (model.endpoints.includes(endpoint)) return;
  const others = model.endpoints.map((one) => `POST ${pathOf(one)}`).join(' and ');
  throw new AiError(
    400,
    'invalid_request_error',
    'unsupported_endpoint',
    `The model “${model.id}” doesn’t answer POST ${pathOf(endpoint)}. It answers ${others}.`,
    { param: 'model' },
  );
}

export const isStreamed = ({ given }: ModelRequest): boolean => given.stream === true;

/** Number of texts the model reads: a request may have several prompts. */
const textCount = (given: Texts) =>
  typeof given === 'string' || typeof given[0] === 'number' ? 1 : given.length;

/** Maximum number of times a model fills its context: once per answer, and per text of embeddings. */
export function sequencesOf({ endpoint, given }: ModelRequest): number {
  switch (endpoint) {
    case 'chat.completions':
      return given.n ?? 1;
    case 'completions':
      return textCount(given.prompt) * Math.max(given.n ?? 1, given.best_of ?? 1);
    case 'embeddings':
      return textCount(given.input);
    case 'responses':
      return 1;
  }
}

/**
 * Returns the bytes for a model server in parts, unchanged except where necessary: the model may have another
 * name there, serving constraints are for the gateway, only a stream with usage can be billed, and no answer is
 * stored.
 */
export function forwardedBody(
  body: Buffer,
  request: ModelRequest,
  model: string,
): { body: readonly Buffer[]; adds_usage: boolean } {
  const { given } = request;
  const isGenerating = request.endpoint === 'chat.completions' || request.endpoint === 'completions';
  const options = isGenerating ? request.given.stream_options : undefined;
  const adds_usage = isGenerating && isStreamed(request) && options?.include_usage !== true;
  const preferences = Object.entries(given.provider ?? {});
  const passed = preferences.filter(([name]) => !name.startsWith('aci_'));
  const hasOwn = passed.length < preferences.length;
  const set = {
    ...(given.model === model ? {} : { model }),
    ...(adds_usage ? { stream_options: { ...options, include_usage: true } } : {}),
    ...(request.endpoint === 'responses' && request.given.store !== false ? { store: false } : {}),
    ...(hasOwn && passed.length > 0 ? { provider: Object.fromEntries(passed) } : {}),
  };
  const remove = hasOwn && passed.length === 0 ? 'provider' : null;
  const isChanged = remove !== null || Object.keys(set).length > 0;
  return { body: isChanged ? editMembers(body, { set, remove }) : [body], adds_usage };
}

/** The text of a message; parts such as images have none. */
export const messageText = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** Texts of a prompt or input. Tokens have none. */
export const textsOf = (given: Texts): string[] =>
  [given].flat(1).filter((one): one is string => typeof one === 'string');

/** All text of a request that a model reads, including the tools it may call. */
export function requestText({ endpoint, given }: ModelRequest): string {
  switch (endpoint) {
    case 'chat.completions':
      return (
        given.messages.map((one) => messageText(one) + jsonText(one.tool_calls)).join('') +
        jsonText(given.tools) +
        jsonText(given.functions)
      );
    case 'completions':
      return textsOf(given.prompt).join('');
    case 'embeddings':
      return textsOf(given.input).join('');
    case 'responses':
      return responsesText(given);
  }
}
