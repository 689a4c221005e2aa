import { nothing, type AiCall, type AiReply, type AiUpstream } from '.';
import { invalidRequest, messageText, type ChatRequest } from '../../domain/ai/chatRequest';
import { ECHO } from '../../domain/ai/models';
import { NO_USAGE, type TokenUsage } from '../../domain/ai/usage';
import { counted } from '../../../console/lib/texts/count';

/** A token of this model: a word, or one other character, with the white space before it. */
const TOKEN = /\s*(?:[\p{L}\p{M}\p{N}_]+|[^\s])|\s+$/gu;

const echoTokens = (text: string): string[] => text.match(TOKEN) ?? [];

interface Answer {
  tokens: string[];
  finish_reason: 'stop' | 'length';
  usage: TokenUsage;
}

/** Repeats the last message. Built in so that the API can be tried on a laptop, with exact counts of tokens. */
export const echoUpstream: AiUpstream = {
  complete(call: AiCall): Promise<AiReply> {
    // A promise, so that a refusal rejects it.
    return Promise.resolve(call).then(reply);
  },
};

function reply({ id, request, signal }: AiCall): AiReply {
  const answer = answerTo(request);
  const head = { id, created: Math.floor(Date.now() / 1000), model: request.model };
  if (request.stream !== true)
    return {
      status: 200,
      content_type: 'application/json',
      body: nothing(),
      end: () => encode(JSON.stringify(wholeAnswer(head, answer))),
      id: () => id,
      usage: () => ({ ...answer.usage, is_estimated: false }),
    };
  let sent = 0;
  const events = streamedAnswer(head, answer, request.stream_options?.include_usage === true);
  async function* body() {
    for (const event of events) {
      // Lets an abort arrive between two tokens.
      await new Promise(setImmediate);
      signal.throwIfAborted();
      sent += event.tokens;
      yield encode(`data: ${event.data}\n\n`);
    }
  }
  return {
    status: 200,
    content_type: 'text/event-stream; charset=utf-8',
    body: body(),
    end: () => encode('data: [DONE]\n\n'),
    id: () => id,
    usage: () => ({ ...answer.usage, output_tokens: sent, is_estimated: false }),
  };
}

function answerTo(request: ChatRequest): Answer {
  if ((request.n ?? 1) !== 1) throw invalidRequest('This model gives one answer per request.', 'n');
  const { messages } = request;
  const input_tokens = messages.reduce((sum, one) => sum + echoTokens(messageText(one)).length, 0);
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  const all = last ? echoTokens(messageText(last)) : [];
  const most = Math.min(
    request.max_completion_tokens ?? request.max_tokens ?? Infinity,
    ECHO.context_length - input_tokens,
  );
  if (most <= 0)
    throw invalidRequest(
      `The messages have ${counted(input_tokens, ['token', 'tokens'])}; this model's context holds ${ECHO.context_length}, answer included.`,
      'messages',
      'context_length_exceeded',
    );
  const tokens = all.slice(0, most);
  return {
    tokens,
    finish_reason: tokens.length < all.length ? 'length' : 'stop',
    usage: { ...NO_USAGE, input_tokens, output_tokens: tokens.length },
  };
}

interface Head {
  id: string;
  created: number;
  model: string;
}

const usageOut = ({ input_tokens, output_tokens }: TokenUsage) => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens: input_tokens + output_tokens,
});

const wholeAnswer = (head: Head, { tokens, finish_reason, usage }: Answer) => ({
  id: head.id,
  object: 'chat.completion',
  created: head.created,
  model: head.model,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: tokens.join(''), refusal: null },
      logprobs: null,
      finish_reason,
    },
  ],
  usage: usageOut(usage),
});

function* streamedAnswer(head: Head, answer: Answer, include_usage: boolean) {
  const chunk = (choices: object[], usage: object | null = null) =>
    JSON.stringify({
      id: head.id,
      object: 'chat.completion.chunk',
      created: head.created,
      model: head.model,
      choices,
      ...(include_usage ? { usage } : {}),
    });
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  yield { tokens: 0, data: choice({ role: 'assistant', content: '' }) };
  for (const content of answer.tokens) yield { tokens: 1, data: choice({ content }) };
  yield { tokens: 0, data: choice({}, answer.finish_reason) };
  if (include_usage) yield { tokens: 0, data: chunk([], usageOut(answer.usage)) };
}

const encoder = new TextEncoder();
const encode = (text: string) => encoder.encode(text);
