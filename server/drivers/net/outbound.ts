import { Readable } from 'node:stream';
import { Agent, request as send, type Dispatcher } from 'undici';
import { literalHost, urlRefusal, type OutboundPolicy } from '../../domain/core/outbound';
import { checkedAddresses, systemResolve, type Resolve } from './checkedAddresses';
import { OutboundError, type Outbound, type OutboundRequest } from './index';
import { createPartCollector } from './partCollector';
import { Reply } from './reply';
import { ownValue } from '../../../console/lib/ownValue';

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 5_000;
const MAX_BYTES = 1_048_576;
/** How long a stream's connection is kept for the next one: less than any server keeps it. */
const KEPT_MS = 1_000;
const MAX_ALLOWED = 1_000;

/** @param resolve replaces the system's resolver in tests */
export function createOutbound(policy: OutboundPolicy, resolve: Resolve = systemResolve): Outbound {
  const { addressesOf, lookupFor } = checkedAddresses(policy, resolve);

  /** @param isKept whether connections, which were checked when they were opened, are reused */
  const agentFor = (protocol: string, isKept: boolean) => {
    return new Agent({
      connect: { lookup: lookupFor(protocol), timeout: CONNECT_MS },
      // Without it, each request uses its own connection, and so its own check.
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

  /** Origins of URLs that weren't refused. Those of model servers are needed thousands of times a second. */
  const allowed = new Set<string>();
  /** Refuses what can be refused without a lookup. Throws OutboundError. */
  const refuse = (url: URL) => {
    if (url.username === '' && url.password === '' && allowed.has(url.origin)) return;
    const reason = urlRefusal(url, policy);
    if (reason !== null)
      throw new OutboundError('refused', `${url.host || url.protocol} is not allowed: ${reason}.`);
    if (allowed.size === MAX_ALLOWED) allowed.clear();
    allowed.add(url.origin);
  };

  const check = async (url: URL) => {
    refuse(url);
    await addressesOf(literalHost(url), url.protocol);
  };

  /** @param until ends the exchange, like the request's own signal */
  const dispatch = (
    url: URL,
    { method = 'GET', headers = {}, body, signal }: OutboundRequest,
    until: AbortSignal,
  ): Promise<Dispatcher.ResponseData> => {
    refuse(url);
    return send(url, {
      dispatcher: ownValue(agents, url.protocol)!,
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
    async open(url, { signal, timeout_ms = TIMEOUT_MS, method = 'GET', headers = {}, body } = {}) {
      refuse(url);
      signal?.throwIfAborted();
      const reply = new Reply({
        timeout_ms,
        signal,
        failure: (error, isLate) => failure(error, url, isLate, timeout_ms),
      });
      ownValue(keptAgents, url.protocol)!.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: method as Dispatcher.HttpMethod,
          ...contentOf(body, { 'user-agent': 'Teehouse', ...headers }),
        },
        reply,
      );
      const begun = await reply.begun;
      return { status: begun.status, headers: textsOf(begun.headers), body: reply };
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

/** Returns the content and headers to send. For a body in parts, they include its length. */
function contentOf(body: OutboundRequest['body'], headers: Record<string, string>) {
  if (!Array.isArray(body)) return { body: (body as string | Uint8Array | undefined) ?? null, headers };
  const parts = body as readonly Uint8Array[];
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (parts.length === 1 && parts[0]) return { body: parts[0], headers };
  if (size <= SMALL) return { body: Buffer.concat(parts), headers };
  return { body: Readable.from(parts), headers: { ...headers, 'content-length': String(size) } };
}

const textsOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));

async function readUpTo(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  max: number,
  url: URL,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = createPartCollector();
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > max) throw new OutboundError('too_large', `${url.host} sent more than ${max} bytes.`);
    parts.add(part);
  }
  return parts.whole();
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
      : 'the connection was lost';
  return new OutboundError('unreachable', `${url.host} isn't responding: ${why}.`, { cause: error });
}
