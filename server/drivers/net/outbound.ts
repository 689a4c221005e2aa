import { Readable } from 'node:stream';
import { Agent, request as send, type Dispatcher } from 'undici';
import { literalHost, urlRefusal, type OutboundPolicy } from '../../domain/core/outbound';
import { checkedAddresses, systemResolve, type Resolve } from './checkedAddresses';
import { OutboundError, type Outbound, type OutboundRequest } from './index';
import { ownValue } from '../../../console/lib/ownValue';

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 5_000;
const MAX_BYTES = 1_048_576;
/** How long a connection for streams is kept for the next one: less than any server keeps it. */
const KEPT_MS = 1_000;
/** What of a stream is still read when its reader has stopped, so that its connection can be kept. */
const MOST_REST = 16_384;
const REST_MS = 500;

/** @param resolve replaces the system's resolver in tests */
export function createOutbound(policy: OutboundPolicy, resolve: Resolve = systemResolve): Outbound {
  const { addressesOf, lookupFor } = checkedAddresses(policy, resolve);

  /** @param isKept whether connections are used again, which were checked when they were opened */
  const agentFor = (protocol: string, isKept: boolean) => {
    return new Agent({
      connect: { lookup: lookupFor(protocol), timeout: CONNECT_MS },
      // Without, each request uses its own connection, and so its own check.
      pipelining: isKept ? 1 : 0,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 16_384,
    });
  };
  const agentsFor = (isKept: boolean): Record<string, Agent> => ({
    'https:': agentFor('https:', isKept),
    'http:': agentFor('http:', isKept),
  });
  const [agents, keptAgents] = [agentsFor(false), agentsFor(true)];

  const check = async (url: URL) => {
    const reason = urlRefusal(url, policy);
    if (reason !== null)
      throw new OutboundError('refused', `${url.host || url.protocol} is not allowed: ${reason}.`);
    await addressesOf(literalHost(url), url.protocol);
  };

  /** @param until ends the exchange, like the request's own signal */
  const dispatch = (
    url: URL,
    { method = 'GET', headers = {}, body, signal }: OutboundRequest,
    until: AbortSignal,
    from = agents,
  ): Promise<Dispatcher.ResponseData> => {
    const reason = urlRefusal(url, policy);
    if (reason !== null)
      throw new OutboundError('refused', `${url.host || url.protocol} is not allowed: ${reason}.`);
    return send(url, {
      dispatcher: ownValue(from, url.protocol)!,
      method: method as Dispatcher.HttpMethod,
      ...contentOf(body, { 'user-agent': 'Teehouse', ...headers }),
      signal: signal ? AbortSignal.any([until, signal]) : until,
    });
  };

  /** Sends, and hands the reply to `read`; every failure becomes an OutboundError. */
  const exchange = async <T>(
    url: URL,
    request: OutboundRequest,
    read: (reply: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> => {
    const { timeout_ms = TIMEOUT_MS, signal } = request;
    const deadline = AbortSignal.timeout(timeout_ms);
    try {
      return await read(await dispatch(url, request, deadline));
    } catch (error) {
      if (signal?.aborted) throw error;
      throw failure(error, url, deadline.aborted, timeout_ms);
    }
  };

  return {
    check,
    fetch: (url, request = {}) =>
      exchange(url, request, async (reply) => {
        const bytes = await readUpTo(reply.body, request.max_bytes ?? MAX_BYTES, url);
        const bare = request.method === 'HEAD' || [204, 205, 304].includes(reply.statusCode);
        return new Response(bare ? null : bytes, {
          status: reply.statusCode,
          headers: Object.entries(reply.headers).flatMap(([name, value]) =>
            value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
          ),
        });
      }),
    status: (url, request = {}) =>
      exchange(url, request, async (reply) => {
        // Ends the connection, which is the only way to tell the other side that nothing more will be read.
        reply.body.on('error', () => undefined).destroy();
        return reply.statusCode;
      }),
    async open(url, request = {}) {
      const { signal, timeout_ms = TIMEOUT_MS, ...sent } = request;
      // One signal for both reasons to end it: combined ones are slow to create.
      const late = new AbortController();
      const end = () => late.abort(signal?.reason);
      if (signal?.aborted) end();
      signal?.addEventListener('abort', end, { once: true });
      const release = () => signal?.removeEventListener('abort', end);
      const inTime = async <T>(waits: () => Promise<T>): Promise<T> => {
        const timer = setTimeout(() => late.abort(), timeout_ms);
        try {
          return await waits();
        } catch (error) {
          if (signal?.aborted) throw error;
          throw failure(error, url, late.signal.aborted, timeout_ms);
        } finally {
          clearTimeout(timer);
        }
      };
      const reply = await inTime(async () => dispatch(url, sent, late.signal, keptAgents)).catch(
        (error: unknown) => {
          release();
          throw error;
        },
      );
      // An abort while nobody reads is no unhandled error.
      reply.body.on('error', () => undefined);
      async function* read() {
        const parts = (reply.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
        try {
          for (;;) {
            const part = await inTime(() => parts.next());
            if (part.done) return;
            yield part.value;
          }
        } finally {
          release();
          readRest(parts, reply.body);
        }
      }
      const headers = Object.entries(reply.headers).map(([name, value]) => [name, String(value ?? '')]);
      return {
        status: reply.statusCode,
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: read(),
      };
    },
    async close() {
      await Promise.all(
        [agents, keptAgents].flatMap((all) => Object.values(all).map((agent) => agent.destroy())),
      );
    },
  };
}

/** Bodies up to this many bytes are sent in one piece. */
const SMALL = 65_536;

/** What is sent, and its headers: a body in parts has its length in them. */
function contentOf(body: OutboundRequest['body'], headers: Record<string, string>) {
  if (!Array.isArray(body)) return { body: (body as string | Uint8Array | undefined) ?? null, headers };
  const parts = body as readonly Uint8Array[];
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (parts.length === 1 && parts[0]) return { body: parts[0], headers };
  if (size <= SMALL) return { body: Buffer.concat(parts), headers };
  return { body: Readable.from(parts), headers: { ...headers, 'content-length': String(size) } };
}

/** Reads what little is left of a stream, in the background, and ends it. */
function readRest(parts: AsyncIterator<Uint8Array>, body: { destroy(): unknown }): void {
  const late = setTimeout(() => body.destroy(), REST_MS);
  const read = async () => {
    for (let size = 0; size <= MOST_REST;) {
      const part = await parts.next();
      if (part.done) return;
      size += part.value.byteLength;
    }
  };
  read()
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(late);
      body.destroy();
    });
}

async function readUpTo(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  max: number,
  url: URL,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > max) throw new OutboundError('too_large', `${url.host} sent more than ${max} bytes.`);
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function failure(error: unknown, url: URL, late: boolean, timeout_ms: number): OutboundError {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof OutboundError) return at;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (late || code === 'UND_ERR_CONNECT_TIMEOUT')
    return new OutboundError(
      'timeout',
      `${url.host} didn't respond within ${Math.ceil(timeout_ms / 1000)} s.`,
      {
        cause: error,
      },
    );
  const why = /CERT|TLS|SSL|ALTNAME/.test(code)
    ? "its certificate isn't trusted"
    : code === 'ECONNREFUSED'
      ? 'it refuses connections'
      : 'the connection broke';
  return new OutboundError('unreachable', `${url.host} isn't responding: ${why}.`, { cause: error });
}
