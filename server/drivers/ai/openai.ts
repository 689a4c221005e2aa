import { cutWhole } from '../../../console/lib/texts/cutWhole';
import {
  nothing,
  UpstreamFailure,
  type AiCall,
  type AiReply,
  type AiServer,
  type AiServers,
  type AiUpstream,
  type ModelFault,
} from '.';
import { AiError, type AiErrorType } from '../../domain/ai/aiError';
import { estimatedInput } from '../../domain/ai/inputEstimate';
import { isStreamed, type Endpoint } from '../../domain/ai/modelRequest';
import {
  createStreamMeter,
  estimatedTokens,
  isFailure,
  isLast,
  parseAnswer,
  reportedUsage,
  type AnswerPart,
} from '../../domain/ai/upstreamUsage';
import { NO_USAGE } from '../../domain/ai/usage';
import { jsonExcess } from '../../domain/core/jsonDepth';
import { createEventCutter, type SseEvent } from '../../domain/core/streams/sseEvents';
import { OutboundError, type Outbound, type OutboundStream } from '../net';
import { createPartCollector } from '../net/partCollector';

/** Bytes of an unstreamed answer, which is held until it is complete. Embeddings are long. */
const MAX_ANSWER = 32 * 1024 * 1024;
/**
 * What else it may consist of: as many numbers as the longest embeddings have, and the probabilities of a long
 * text. A team's own model server can send anything, and parsed, it would take up to a hundred times its bytes.
 */
const MAX_JSON = { values: 2 ** 22, objects: 500_000 };
/** Bytes of a stream, which isn't held, and of a single event in it. */
const MAX_STREAM = 64 * 1024 * 1024;
const MAX_EVENT = 1024 * 1024;
/** Events of a stream: more than a model writes in so many bytes. Each takes the same work, however short it is. */
const MAX_EVENTS = 2 ** 20;
/** Bytes of comments before a stream's first data that are kept for the client. */
const MAX_HELD = 64 * 1024;
/** How long they are kept while another server may still be tried. Many proxies close a silent connection after 30 s. */
const HOLD_MS = 10_000;
/** Bytes of an error that are read to find its message. */
const MAX_ERROR = 64 * 1024;
const MAX_MESSAGE = 1000;

const PATHS: Record<Endpoint, string> = {
  'chat.completions': 'chat/completions',
  completions: 'completions',
  embeddings: 'embeddings',
  responses: 'responses',
};

/** How long a stream may have sent only comments: before the client gets them, and before it has failed. */
interface Patience {
  hold_ms: number;
  timeout_ms: number;
}

/** Servers with the OpenAI API. Their answers are passed on unchanged, their errors never. */
export const createAiServers = (net: Outbound, { hold_ms = HOLD_MS } = {}): AiServers => ({
  at: (server) => upstreamAt(net, server, { hold_ms, timeout_ms: server.timeout_ms }),
  check: (server) => checkServer(net, server),
  tryModel: (server, model, signal) => tryModel(net, server, { model, signal }),
});

function upstreamAt(net: Outbound, server: AiServer, patience: Patience): AiUpstream {
  return {
    async complete(call) {
      const reply = await net
        .open(endpointUrl(server.url, PATHS[call.request.endpoint]), {
          method: 'POST',
          headers: {
            ...authorization(server.api_key),
            'content-type': 'application/json',
            accept: isStreamed(call.request) ? 'text/event-stream' : 'application/json',
          },
          body: call.body,
          timeout_ms: server.timeout_ms,
          signal: call.signal,
        })
        .catch((error: unknown) => Promise.reject(failureOf(error)));
      if (reply.status < 200 || reply.status > 299) throw await refusalOf(reply, server.api_key);
      const type = reply.headers['content-type'] ?? '';
      return /^text\/event-stream\b/i.test(type)
        ? streamed(reply, call, { ...patience, content_type: type })
        : whole(reply, call);
    },
  };
}

async function checkServer(net: Outbound, server: AiServer): Promise<string | null> {
  try {
    const reply = await net.fetch(endpointUrl(server.url, 'models'), {
      headers: authorization(server.api_key),
      timeout_ms: server.timeout_ms,
      max_bytes: MAX_EVENT,
    });
    if (reply.status === 401 || reply.status === 403) return 'It rejected the API key.';
    return reply.ok ? null : `GET /models returned status ${reply.status}.`;
  } catch (error) {
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

async function tryModel(
  net: Outbound,
  server: AiServer,
  { model, signal }: { model: string; signal: AbortSignal | undefined },
): Promise<ModelFault | null> {
  const path = PATHS['chat.completions'];
  try {
    const status = await net.status(endpointUrl(server.url, path), {
      method: 'POST',
      headers: { ...authorization(server.api_key), 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }),
      timeout_ms: server.timeout_ms,
      signal,
    });
    if (status >= 200 && status <= 299) return null;
    if (status === 401 || status === 403)
      return { is_key: true, message: 'The model server rejected the API key.' };
    return {
      is_key: false,
      message:
        status === 404
          ? `The model server has no chat model “${model}”.`
          : `The model server returned status ${status} for POST /${path}.`,
    };
  } catch (error) {
    if (error instanceof OutboundError) return { is_key: false, message: error.message };
    throw error;
  }
}

const endpointUrl = (base: string, path: string): URL => new URL(`${base.replace(/\/+$/, '')}/${path}`);

const authorization = (api_key: string | null): Record<string, string> =>
  api_key === null ? {} : { authorization: `Bearer ${api_key}` };

async function whole(reply: OutboundStream, call: AiCall): Promise<AiReply> {
  const bytes = await readUpTo(reply.body, MAX_ANSWER, call.keep).catch((error: unknown) =>
    Promise.reject(failureOf(error)),
  );
  if (!bytes) throw failure(`The model server's answer is longer than ${MAX_ANSWER} bytes.`);
  if (jsonExcess(bytes, MAX_JSON)) throw failure("The model server's answer has too many parts.");
  const answer = parseAnswer(bytes.toString('utf8'));
  if (!answer) throw failure("The model server's answer is not valid JSON.");
  if (isFailure(answer)) throw failure('The model server failed.');
  const reported = reportedUsage(answer.usage);
  const id = idOf(answer);
  return {
    status: reply.status,
    content_type: 'application/json',
    body: nothing(),
    end: () => bytes,
    id: () => id,
    usage: () =>
      reported
        ? { ...reported, is_estimated: false }
        : {
            ...NO_USAGE,
            input_tokens: estimatedInput(call.request),
            output_tokens: call.request.endpoint === 'embeddings' ? 0 : estimatedTokens(bytes.length),
            is_estimated: true,
          },
  };
}

async function streamed(
  reply: OutboundStream,
  call: AiCall,
  { content_type, hold_ms, timeout_ms }: Patience & { content_type: string },
): Promise<AiReply> {
  const since = performance.now();
  const meter = createStreamMeter(() => estimatedInput(call.request));
  const parts = reply.body[Symbol.asyncIterator]();
  const cutter = createEventCutter(MAX_EVENT);
  let size = 0;
  let count = 0;
  let hasData = false;
  let id: string | null = null;
  let end: Uint8Array = Buffer.alloc(0);

  /** Returns the next event of any kind; null when the model server's bytes have ended. */
  const read = async (): Promise<SseEvent | null> => {
    for (;;) {
      const event = cutter.next();
      if (event && ++count > MAX_EVENTS)
        throw new RangeError(`The answer has more than ${MAX_EVENTS} events.`);
      if (event) return event;
      const part = await parts.next();
      if (part.done) return cutter.rest();
      size += part.value.byteLength;
      if (size > MAX_STREAM) throw new RangeError(`The answer is longer than ${MAX_STREAM} bytes.`);
      cutter.add(part.value);
    }
  };

  /** Counts an event. @returns how to handle it */
  const judge = ({ data }: SseEvent): 'passed' | 'left_out' | 'last' => {
    if (data === null) {
      if (!hasData && performance.now() - since > timeout_ms) throw late();
      return 'passed';
    }
    hasData = true;
    if (data === '[DONE]') return 'last';
    const part = parseAnswer(data);
    if (!part) throw failure("A part of the model server's answer is not valid JSON.");
    if (isFailure(part)) throw failure('The model server failed.');
    id ??= idOf(part.response ?? part);
    meter.add(part);
    // The API ends here. Some servers still send [DONE], and others keep the connection open.
    if (call.request.endpoint === 'responses' && isLast(part)) return 'last';
    // The client didn't request it, so it doesn't expect a part without choices.
    return call.adds_usage && part.choices?.length === 0 && part.usage ? 'left_out' : 'passed';
  };

  /** Returns the next event to pass on; null at the end. */
  const next = async (): Promise<SseEvent | null> => {
    for (;;) {
      const event = await read().catch((error: unknown) => Promise.reject(failureOf(error)));
      if (!event) throw failure("The model server's answer ended early.");
      const what = judge(event);
      if (what === 'passed') return event;
      if (what === 'last') {
        end = event.bytes;
        return null;
      }
    }
  };

  /** Comments, such as `: keep-alive`, before the first data. */
  const held: Uint8Array[] = [];
  /**
   * Returns the first event to pass on. A server that sends only comments hasn't answered yet, so another one may
   * still be tried. A long wait is the client's: the comments keep its connection open.
   */
  const firstPassed = async (): Promise<SseEvent | null> => {
    let bytes = 0;
    for (;;) {
      const event = await next();
      if (!event || event.data !== null || performance.now() - since > hold_ms) return event;
      bytes += event.bytes.byteLength;
      // Clients ignore them anyway.
      if (bytes <= MAX_HELD) held.push(event.bytes);
    }
  };

  const stop = () => parts.return?.();
  const first = await firstPassed().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  async function* body() {
    try {
      yield* held.splice(0);
      for (let event = first; event; event = await next()) yield event.bytes;
    } finally {
      await stop();
    }
  }
  return {
    status: reply.status,
    content_type,
    body: body(),
    end: () => end,
    id: () => id,
    usage: meter.usage,
  };
}

/** @returns null if there are more bytes than that */
async function readUpTo(
  parts: AsyncIterable<Uint8Array>,
  most: number,
  keep: (bytes: number) => void = () => undefined,
): Promise<Buffer | null> {
  const read = createPartCollector();
  let size = 0;
  for await (const part of parts) {
    size += part.byteLength;
    if (size > most) return null;
    keep(part.byteLength);
    read.add(part);
  }
  return read.whole();
}

/** An upstream's ID is looked up and shown, so only bounded plain text is accepted. */
const idOf = ({ id }: Pick<AnswerPart, 'id'>) =>
  id !== undefined && /^[\x21-\x7e]{1,200}$/.test(id) ? id : null;

const failure = (text: string, cause?: unknown): UpstreamFailure =>
  new UpstreamFailure(new AiError(502, 'server_error', 'upstream_failed', text), { cause });

const late = (cause?: unknown): UpstreamFailure =>
  new UpstreamFailure(
    new AiError(504, 'server_error', 'upstream_timeout', "The model server didn't answer in time."),
    { cause },
  );

/** Addresses and causes are for the operator only; the log has them. */
function failureOf(error: unknown): unknown {
  if (error instanceof RangeError) return failure("The model server's answer is too long.", error);
  if (!(error instanceof OutboundError)) return error;
  return error.kind === 'timeout' ? late(error) : failure("The model server isn't responding.", error);
}

/** Statuses that the client can act on, with their type. */
const PASSED: Readonly<Record<number, AiErrorType>> = {
  400: 'invalid_request_error',
  413: 'invalid_request_error',
  422: 'invalid_request_error',
};
const MAX_RETRY_AFTER = 60;

/** Quotes an upstream's refusal only if it is about the request and doesn't contain the operator's key. */
async function refusalOf(reply: OutboundStream, api_key: string | null): Promise<AiError | UpstreamFailure> {
  const bytes = await readUpTo(reply.body, MAX_ERROR).catch(() => null);
  const type = PASSED[reply.status];
  if (type !== undefined) {
    const { message, code, param } = errorIn(bytes);
    return new AiError(
      reply.status,
      type,
      typeof code === 'string' ? cutWhole(code, 100) : null,
      typeof message === 'string' && !(api_key && message.includes(api_key))
        ? cutWhole(message, MAX_MESSAGE)
        : 'The model server refused the request.',
      { param: typeof param === 'string' ? cutWhole(param, 200) : null },
    );
  }
  const cause = new Error(`status ${reply.status}`);
  if (reply.status === 429 || reply.status === 503) {
    return new UpstreamFailure(
      new AiError(503, 'server_error', 'overloaded', 'The model is busy. Try again in a moment.', {
        retryAfter: retryAfterOf(reply.headers),
      }),
      { cause },
    );
  }
  return failure('The model server failed.', cause);
}

/** Returns the seconds to wait, from 1 to 60. `Retry-After` is a number of seconds or a date (RFC 9110, §10.2.3). */
function retryAfterOf(headers: OutboundStream['headers']): number {
  const text = headers['retry-after'] ?? '';
  // By the server's own clock, if it states that.
  const now = () => Date.parse(headers['date'] ?? '') || Date.now();
  const seconds = /[a-z]/i.test(text) ? (Date.parse(text) - now()) / 1000 : Number(text);
  return seconds > 0 ? Math.min(Math.ceil(seconds), MAX_RETRY_AFTER) : 1;
}

function errorIn(bytes: Buffer | null): { message?: unknown; code?: unknown; param?: unknown } {
  const error = bytes && parseAnswer(bytes.toString('utf8'))?.error;
  return typeof error === 'object' && error !== null ? error : { message: error };
}
