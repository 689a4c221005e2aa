import { randomUUID, timingSafeEqual, createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Token } from 'node-llama-cpp';
import { z } from 'zod';
import type { Engine } from './engine';

/**
 * The part of OpenAI's API that chats use, in front of the tiny model: it answers like llama.cpp's own server,
 * but also requires an API key for the model list.
 */

const MAX_BODY = 1_048_576;
/** Default token limit of an answer: the model rarely ends its answer. */
const DEFAULT_MAX_TOKENS = 64;

export interface ModelServerOptions {
  /** Model name in requests. */
  alias: string;
  /** Required of clients; null for none. */
  apiKey: string | null;
  /** Resolves once the model is loaded. */
  engine: Promise<Engine>;
  log?: (line: string) => void;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

const Part = z.object({ type: z.literal('text'), text: z.string() });
const ChatRequest = z.object({
  model: z.string(),
  messages: z
    .array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Part)]).nullish() }))
    .min(1),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  seed: z.int().nullish(),
  n: z.literal(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});
type ChatRequest = z.infer<typeof ChatRequest>;

export function modelServer({ alias, apiKey, engine, log }: ModelServerOptions): Server {
  let loaded: Engine | null = null;
  engine.then(
    (one) => (loaded = one),
    () => undefined,
  );
  const created = Math.floor(Date.now() / 1000);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    const asked = `${req.method} ${pathname}`;
    if (asked === 'GET /health') {
      if (!loaded) throw new Refusal(503, 'Loading model', 'unavailable_error');
      return json(res, 200, { status: 'ok' });
    }
    if (apiKey !== null && !isSame(req.headers.authorization ?? '', `Bearer ${apiKey}`))
      throw new Refusal(401, 'Invalid API key', 'invalid_api_key');
    if (!loaded) throw new Refusal(503, 'Loading model', 'unavailable_error');
    if (asked === 'GET /v1/models')
      return json(res, 200, {
        object: 'list',
        data: [{ id: alias, object: 'model', created, owned_by: 'random weights, for testing' }],
      });
    if (asked === 'POST /v1/chat/completions')
      return chat(res, loaded, requestOf(await bodyOf(req), alias), log);
    throw new Refusal(404, `There is no ${asked}.`);
  }

  return createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'The model server failed.');
      if (!(error instanceof Refusal)) console.error(error);
      // A started response can only be cut off.
      if (res.headersSent) return void res.destroy();
      const { status, message, code } = refusal;
      const type = status < 500 ? 'invalid_request_error' : 'server_error';
      json(res, status, { error: { message, type, param: null, code } });
    });
  });
}

function requestOf(text: string, alias: string): ChatRequest {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
  const { data, error } = ChatRequest.safeParse(given);
  if (!data) {
    const [issue] = error.issues;
    throw new Refusal(400, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
  }
  if (data.model !== alias) throw new Refusal(404, `There is no model ${data.model}.`, 'model_not_found');
  return data;
}

/** Formats messages like the chat template in the model file. */
const promptOf = ({ messages }: ChatRequest): string => {
  const lines = messages.map(({ role, content }) => {
    const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text).join('');
    return `${role}: ${text}\n`;
  });
  return `${lines.join('')}assistant:`;
};

async function chat(
  res: ServerResponse,
  engine: Engine,
  request: ChatRequest,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const prompt = engine.read(promptOf(request));
  const room = engine.contextLength - prompt.length;
  if (room < 1)
    throw new Refusal(
      400,
      `The messages have ${prompt.length} tokens; the context holds ${engine.contextLength}, answer included.`,
      'context_length_exceeded',
    );
  const most = Math.min(room, request.max_completion_tokens ?? request.max_tokens ?? DEFAULT_MAX_TOKENS);
  const writer = engine.start();
  if (!writer) throw new Refusal(503, 'Too many requests are in progress.', 'overloaded');
  const isStreamed = request.stream === true;
  const head = {
    id: `chatcmpl-${randomUUID()}`,
    object: isStreamed ? 'chat.completion.chunk' : 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
  };
  const withUsage = request.stream_options?.include_usage === true;
  const event = (choices: object[], usage: object | null = null) =>
    res.write(`data: ${JSON.stringify({ ...head, choices, ...(withUsage ? { usage } : {}) })}\n\n`);
  const delta = (content: object, finish_reason: string | null = null) =>
    event([{ index: 0, delta: content, logprobs: null, finish_reason }]);

  const tokens: Token[] = [];
  let sent = 0;
  try {
    if (isStreamed) {
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
      delta({ role: 'assistant', content: '' });
    }
    const sampling = { temperature: request.temperature ?? 0, seed: request.seed ?? undefined };
    for await (const token of writer.write(prompt, sampling)) {
      // The client has disconnected: stop computing.
      if (res.destroyed) return;
      tokens.push(token);
      const text = writer.textOf(tokens);
      // A partial character waits for the rest.
      if (isStreamed && !text.endsWith('�')) {
        delta({ content: text.slice(sent) });
        sent = text.length;
      }
      if (tokens.length === most) break;
    }
    const text = writer.textOf(tokens);
    const finish_reason = tokens.length === most ? 'length' : 'stop';
    const usage = {
      prompt_tokens: prompt.length,
      completion_tokens: tokens.length,
      total_tokens: prompt.length + tokens.length,
    };
    if (!isStreamed)
      return json(res, 200, {
        ...head,
        choices: [{ index: 0, message: { role: 'assistant', content: text }, logprobs: null, finish_reason }],
        usage,
      });
    if (sent < text.length) delta({ content: text.slice(sent) });
    delta({}, finish_reason);
    if (withUsage) event([], usage);
    res.end('data: [DONE]\n\n');
  } finally {
    await writer.end();
    log(`wrote ${tokens.length} of at most ${most} tokens`);
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) throw new Refusal(413, `The body is longer than ${MAX_BODY} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function json(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
