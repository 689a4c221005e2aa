import { nothing, type AiCall, type AiReply, type AiUpstream } from '.';
import type { Texts } from '../../domain/ai/boundedLists';
import {
  messageText,
  requestText,
  textsOf,
  type ChatRequest,
  type CompletionRequest,
} from '../../domain/ai/modelRequest';
import { ECHO } from '../../domain/ai/models';
import { invalidRequest } from '../../domain/ai/requestBody';
import { NO_USAGE, type TokenUsage } from '../../domain/ai/usage';
import { counted } from '../../../console/lib/texts/count';
import { embeddingsOf } from './echoEmbeddings';
import { echoTokens } from './echoTokens';

/** The content of its answer, for any endpoint. */
interface Answer {
  tokens: string[];
  finish_reason: 'stop' | 'length';
  usage: TokenUsage;
}

/**
 * Repeats the last message or the prompt. Built in so that the API can be tried on a laptop, with exact token
 * counts.
 */
export const echoUpstream: AiUpstream = {
  complete(call: AiCall): Promise<AiReply> {
    // A promise, so that a refusal rejects it.
    return Promise.resolve(call).then(reply);
  },
};

/**
 * Maximum characters of a request, many times the model's context. They are tokenized in the control plane's
 * process.
 */
const MAX_TEXT = 1_000_000;

function reply(call: AiCall): AiReply {
  const { request } = call;
  if (requestText(request).length > MAX_TEXT)
    throw invalidRequest(
      `This model reads up to ${counted(MAX_TEXT, ['character', 'characters'])}.`,
      null,
      'context_length_exceeded',
    );
  switch (request.endpoint) {
    case 'chat.completions':
      return generated(call, request.given, answerToChat(request.given), chatForm);
    case 'completions':
      return generated(call, request.given, answerToPrompt(request.given), textForm);
    case 'embeddings':
      return complete(call, embeddingsOf(request.given, onlyTexts(request.given.input, 'input')));
    case 'responses':
      // Its list of endpoints already says so.
      throw invalidRequest('The built-in model doesn’t answer POST /v1/responses.', 'model');
  }
}

/** An answer in one piece. */
function complete({ id }: AiCall, { body, usage }: { body: object; usage: TokenUsage }): AiReply {
  return {
    status: 200,
    content_type: 'application/json',
    body: nothing(),
    end: () => encode(JSON.stringify(body)),
    id: () => id,
    usage: () => ({ ...usage, is_estimated: false }),
  };
}

function generated(
  call: AiCall,
  given: ChatRequest | CompletionRequest,
  answer: Answer,
  form: Form,
): AiReply {
  const head = { id: call.id, created: Math.floor(Date.now() / 1000), model: given.model };
  if (given.stream !== true) return complete(call, { body: form.whole(head, answer), usage: answer.usage });
  let sent = 0;
  const events = streamedAnswer(head, answer, form, given.stream_options?.include_usage === true);
  async function* body() {
    for (const event of events) {
      // Lets an abort arrive between two tokens.
      await new Promise(setImmediate);
      call.signal.throwIfAborted();
      sent += event.tokens;
      yield encode(`data: ${event.data}\n\n`);
    }
  }
  return {
    status: 200,
    content_type: 'text/event-stream; charset=utf-8',
    body: body(),
    end: () => encode('data: [DONE]\n\n'),
    id: () => call.id,
    usage: () => ({ ...answer.usage, output_tokens: sent, is_estimated: false }),
  };
}

function answerToChat(request: ChatRequest): Answer {
  const { messages } = request;
  const input_tokens = messages.reduce((sum, one) => sum + echoTokens(messageText(one)).length, 0);
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  return answerTo(request, {
    of: 'messages',
    input_tokens,
    all: last ? echoTokens(messageText(last)) : [],
    max_tokens: request.max_completion_tokens ?? request.max_tokens ?? null,
  });
}

function answerToPrompt(request: CompletionRequest): Answer {
  const texts = onlyTexts(request.prompt, 'prompt');
  if (texts.length !== 1 || (request.best_of ?? 1) !== 1)
    throw invalidRequest('This model answers one prompt per request.', 'prompt');
  const all = echoTokens(texts[0] ?? '');
  return answerTo(request, {
    of: 'prompt',
    input_tokens: all.length,
    all,
    max_tokens: request.max_tokens ?? null,
  });
}

function answerTo(
  { n }: { n?: number | null | undefined },
  asked: { of: string; input_tokens: number; all: string[]; max_tokens: number | null },
): Answer {
  if ((n ?? 1) !== 1) throw invalidRequest('This model returns one answer per request.', 'n');
  const { input_tokens, all } = asked;
  const most = Math.min(asked.max_tokens ?? Infinity, ECHO.context_length - input_tokens);
  if (most <= 0)
    throw invalidRequest(
      `The ${asked.of === 'prompt' ? 'prompt has' : 'messages have'} ${counted(input_tokens, ['token', 'tokens'])}; this model's context holds ${ECHO.context_length}, answer included.`,
      asked.of,
      'context_length_exceeded',
    );
  const tokens = all.slice(0, most);
  return {
    tokens,
    finish_reason: tokens.length < all.length ? 'length' : 'stop',
    usage: { ...NO_USAGE, input_tokens, output_tokens: tokens.length },
  };
}

/** This model has no vocabulary of tokens that a client could know. */
function onlyTexts(given: Texts, param: string): string[] {
  const texts = textsOf(given);
  if (texts.length !== [given].flat(1).length)
    throw invalidRequest('This model accepts text, not tokens.', param);
  return texts;
}

interface Head {
  id: string;
  created: number;
  model: string;
}

/** An endpoint's format for answers. */
interface Form {
  /** `object` of a stream's part. */
  part: string;
  whole(head: Head, answer: Answer): object;
  /** Choices of a stream's parts; `start` is null for none. */
  start: object | null;
  token(text: string): object;
  stop(finish_reason: Answer['finish_reason']): object;
}

const usageOut = ({ input_tokens, output_tokens }: TokenUsage) => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens: input_tokens + output_tokens,
});

const chatChoice = (delta: object, finish_reason: string | null = null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason,
});

const chatForm: Form = {
  part: 'chat.completion.chunk',
  whole: (head, { tokens, finish_reason, usage }) => ({
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: tokens.join(''), refusal: null },
        logprobs: null,
        finish_reason,
      },
    ],
    usage: usageOut(usage),
  }),
  start: chatChoice({ role: 'assistant', content: '' }),
  token: (content) => chatChoice({ content }),
  stop: (finish_reason) => chatChoice({}, finish_reason),
};

const textChoice = (text: string, finish_reason: string | null = null) => ({
  index: 0,
  text,
  logprobs: null,
  finish_reason,
});

const textForm: Form = {
  part: 'text_completion',
  whole: (head, { tokens, finish_reason, usage }) => ({
    ...head,
    object: 'text_completion',
    choices: [textChoice(tokens.join(''), finish_reason)],
    usage: usageOut(usage),
  }),
  start: null,
  token: (text) => textChoice(text),
  stop: (finish_reason) => textChoice('', finish_reason),
};

function* streamedAnswer(head: Head, answer: Answer, form: Form, include_usage: boolean) {
  const chunk = (choices: object[], usage: object | null = null) =>
    JSON.stringify({ ...head, object: form.part, choices, ...(include_usage ? { usage } : {}) });
  if (form.start) yield { tokens: 0, data: chunk([form.start]) };
  for (const text of answer.tokens) yield { tokens: 1, data: chunk([form.token(text)]) };
  yield { tokens: 0, data: chunk([form.stop(answer.finish_reason)]) };
  if (include_usage) yield { tokens: 0, data: chunk([], usageOut(answer.usage)) };
}

const encoder = new TextEncoder();
const encode = (text: string) => encoder.encode(text);
