import * as z from 'zod';
import { toHeaderText } from '../../../console/lib/mcp/headerText';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { isTooDeep, MAX_JSON_DEPTH } from '../../domain/core/jsonDepth';
import { sseEvents } from '../../domain/core/streams/sseEvents';
import { VERSION } from '../../root';
import { OutboundError, type Outbound, type OutboundStream } from '../net';
import { createPartCollector } from '../net/partCollector';
import { McpError, type McpAddress } from '.';

/** For a whole request, including all its messages. */
export const TOTAL_MS = 60_000;
const WAIT_MS = 30_000;
/** Per reply. */
const MAX_BYTES = 1024 * 1024;
const EARLIER = '2025-11-25';
const CURRENT = '2026-07-28';
const META = 'io.modelcontextprotocol';
/** Sent by the bridge and by gateways when the server behind them doesn't listen. */
const NOT_READY: readonly number[] = [502, 503, 504];
const CLIENT = { name: 'teehouse', version: VERSION };

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
type Message = z.infer<typeof message>;
const initialized = z.looseObject({ protocolVersion: z.string().max(20) });

/** A server, and in earlier revisions a session with it. */
export class Connection {
  #id = 0;
  #session: string | undefined;
  /** Null until it is negotiated. */
  #version: string | null = null;

  constructor(
    readonly net: Outbound,
    readonly address: McpAddress,
    readonly signal: AbortSignal,
  ) {}

  get version(): string {
    return this.#version ?? EARLIER;
  }

  /** @returns the server's self-description */
  async open(): Promise<Record<string, unknown>> {
    const params = { protocolVersion: EARLIER, capabilities: {}, clientInfo: CLIENT };
    const reply = await this.#send({ id: (this.#id += 1), method: 'initialize', params });
    const read = initialized.safeParse(reply?.result);
    if (read.success) {
      this.#version = read.data.protocolVersion;
      await this.#send({ method: 'notifications/initialized' });
      return read.data;
    }
    // A server with only the stateless revision doesn't know `initialize`.
    this.#version = CURRENT;
    return this.request('server/discover', {});
  }

  async request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const reply = await this.#send({ id: (this.#id += 1), method, params: this.#withMeta(params) });
    if (reply?.result) return reply.result;
    if (reply?.error)
      throw new McpError('refused', `The server rejected ${method}: ${cutWhole(reply.error.message, 500)}`);
    throw new McpError('no_mcp', "The service at this address isn't an MCP server.");
  }

  /** Ends the session, if there is one. Never throws, because the server expires it after a while anyway. */
  async close(): Promise<void> {
    if (this.#session === undefined) return;
    await this.net
      .status(new URL(this.address.url), { method: 'DELETE', headers: this.#headers(), timeout_ms: 2_000 })
      .catch(() => undefined);
  }

  #withMeta(params: Record<string, unknown>): Record<string, unknown> {
    if (this.#version !== CURRENT) return params;
    const meta = { protocolVersion: CURRENT, clientInfo: CLIENT, clientCapabilities: {} };
    const entries = Object.entries(meta).map(([name, value]) => [`${META}/${name}`, value]);
    return { ...params, _meta: Object.fromEntries(entries) as Record<string, unknown> };
  }

  #headers(): Record<string, string> {
    const { host, key } = this.address;
    return {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(host === undefined ? {} : { host }),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(this.#version === null ? {} : { 'mcp-protocol-version': this.#version }),
    };
  }

  /** @returns the reply to the request; null for a notification, and if there is no JSON-RPC reply */
  async #send(body: {
    id?: number;
    method: string;
    params?: Record<string, unknown>;
  }): Promise<Message | null> {
    const headers = this.#headers();
    if (this.#version === CURRENT) {
      headers['mcp-method'] = body.method;
      if (typeof body.params?.name === 'string') headers['mcp-name'] = toHeaderText(body.params.name);
    }
    // Aborts a stream that stays open after the reply.
    const leave = new AbortController();
    try {
      const reply = await this.net.open(new URL(this.address.url), {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
        timeout_ms: WAIT_MS,
        signal: AbortSignal.any([this.signal, leave.signal]),
      });
      if (reply.status === 401 || reply.status === 403)
        throw new McpError('key', 'The MCP server rejects requests without its key.');
      if (reply.status === 429)
        throw new McpError('busy', 'The MCP server got too many requests with this key.');
      if (NOT_READY.includes(reply.status))
        throw new McpError('not_ready', `The MCP server isn't ready (status ${reply.status}).`);
      this.#session ??= reply.headers['mcp-session-id']?.slice(0, 500);
      return body.id === undefined ? null : await readReply(reply, body.id);
    } catch (error) {
      if (error instanceof OutboundError) throw new McpError('unreachable', error.message, { cause: error });
      if (this.signal.aborted)
        throw new McpError('unreachable', `No result within ${TOTAL_MS / 1000} s.`, { cause: error });
      throw error;
    } finally {
      leave.abort();
    }
  }
}

async function readReply({ headers, body }: OutboundStream, id: number): Promise<Message | null> {
  if (headers['content-type']?.startsWith('text/event-stream')) {
    for await (const { data } of sseEvents(upTo(MAX_BYTES, body), MAX_BYTES)) {
      const found = data === null ? null : parsed(Buffer.from(data));
      if (found?.id === id) return found;
    }
    return null;
  }
  const parts = createPartCollector();
  for await (const part of upTo(MAX_BYTES, body)) parts.add(part);
  return parsed(parts.whole());
}

async function* upTo(most: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > most) throw new McpError('refused', `The reply is larger than ${most / 1024} KB.`);
    yield part;
  }
}

/** @returns null for no JSON-RPC message @throws McpError for one that nothing could be done with */
function parsed(json: Buffer): Message | null {
  if (isTooDeep(json))
    throw new McpError('refused', `The reply is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  try {
    return message.safeParse(JSON.parse(json.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
