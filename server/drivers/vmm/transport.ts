import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { ZodType } from 'zod';
import { currentSpan } from '../tracing';
import { connectorFor } from './connector';
import { authorization, parseEndpoint, secretsOf, type Endpoint } from './endpoint';
import { failureOfReply, failureOfTransport, isParserError, scrub } from './failures';
import type { ByteStream, TlsOptions, VmmCredential, VmmLimits } from './index';
import type { RpcErrorClass, RpcErrorInit, RpcErrorKind, RpcError } from './rpcError';
import { Slots } from './slots';

export interface TransportOptions {
  url: string;
  /** The service that responds there, named in traces. */
  service: 'dstack-vmm' | 'dstack-kms' | 'dstack-gateway';
  credential?: VmmCredential | null | undefined;
  tls?: TlsOptions | undefined;
  limits: VmmLimits;
  errorClass: RpcErrorClass;
  lookup?: LookupFunction | undefined;
}

export interface RpcCall<T> {
  /** name in errors, e.g. `CreateVm` */
  method: string;
  /** below the endpoint's prefix, e.g. `/prpc/CreateVm?json` */
  path: string;
  body: object;
  reply: ZodType<T>;
  deadline_ms: number;
  /** changes state at the host: never repeated, and ambiguous if it fails underway */
  mutates: boolean;
  signal?: AbortSignal | undefined;
}

export interface StreamCall {
  method: string;
  path: string;
  /** replaces the endpoint's own origin; the credential isn't sent there */
  origin?: string;
  /** the stream counts as broken after this silence; 0: never */
  silence_ms: number;
  signal?: AbortSignal | undefined;
}

export interface OpenStream {
  status: number;
  content_type: string;
  body: ByteStream;
  /** up to 64 KB of the body as text, for an error; ends the stream */
  text(): Promise<string>;
}

/**
 * Outcomes that are errors in a trace. A refusal, or an answer that something doesn't exist, means that the
 * host works.
 */
const FAULTS: ReadonlySet<string> = new Set<RpcErrorKind>([
  'unreachable',
  'timeout',
  'unauthorized',
  'bad_reply',
]);

/** HTTP to one host: one keep-alive pool, a deadline on every call, every failure an `RpcError`. */
export class Transport {
  readonly endpoint: Endpoint;
  readonly #options: TransportOptions;
  readonly #headers: Record<string, string>;
  readonly #rpc: Agent;
  /** Streams stay open for hours; a separate pool keeps them from starving calls. */
  readonly #streams: Agent;
  readonly #slots: Slots;
  #openStreams = 0;
  #closed = false;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.endpoint = parseEndpoint(options.url);
    const header = authorization(options.credential);
    this.#headers = header === null ? {} : { authorization: header };
    const { limits, tls, lookup } = options;
    const connect = connectorFor({
      connect_ms: limits.connect_ms,
      socketPath: this.endpoint.socketPath,
      tls,
      lookup,
    });
    // Deadlines are ours: undici's would restart with every chunk.
    const shared = { connect, headersTimeout: 0, bodyTimeout: 0 };
    this.#rpc = new Agent({ ...shared, connections: limits.in_flight });
    this.#streams = new Agent({ ...shared, keepAliveTimeout: 1000 });
    this.#slots = new Slots(limits.in_flight);
  }

  /** POST in JSON mode, parsed with `reply`. */
  async call<T>(call: RpcCall<T>): Promise<T> {
    if (this.#closed) throw this.failure('unreachable', call.method, 'this connection was closed');
    const work = this.#traced(call.method, () => this.#call(call));
    const settled: Promise<unknown> = work
      .then(
        () => {},
        () => {},
      )
      .finally(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
    return work;
  }

  /**
   * Makes the call a span below its caller's. Background work, which queries every host all the time, has none.
   */
  async #traced<T>(method: string, work: () => Promise<T>): Promise<T> {
    const parent = currentSpan();
    if (!parent) return work();
    const { service } = this.#options;
    const { hostname, port } = new URL(this.endpoint.origin);
    const span = parent.child(`${service}/${method}`, 'client', {
      'rpc.system': 'dstack',
      'rpc.service': service,
      'rpc.method': method,
      'server.address': this.endpoint.socketPath ?? hostname,
      'server.port': port === '' ? undefined : Number(port),
    });
    try {
      const reply = await work();
      span.end({ attributes: { 'teehouse.outcome': 'ok' } });
      return reply;
    } catch (error) {
      // The error itself may quote the host.
      const outcome = error instanceof this.#options.errorClass ? error.kind : 'canceled';
      span.end({ attributes: { 'teehouse.outcome': outcome }, is_error: FAULTS.has(outcome) });
      throw error;
    }
  }

  async #call<T>(call: RpcCall<T>): Promise<T> {
    const payload = JSON.stringify(call.body);
    try {
      return await this.#attempt(call, payload);
    } catch (error) {
      // The host may close a kept-alive connection just as we write to it. A read can be retried immediately.
      if (!call.mutates && isStaleConnection(error, this.#options.errorClass))
        return this.#attempt(call, payload);
      throw error;
    }
  }

  async #attempt<T>(call: RpcCall<T>, payload: string): Promise<T> {
    const stop = new Stop(call.signal, call.deadline_ms);
    let sent = false;
    try {
      const release = await this.#slots.take(stop.signal);
      try {
        sent = true;
        const reply = await this.#rpc.request({
          origin: this.endpoint.origin,
          path: this.endpoint.prefix + call.path,
          method: 'POST',
          headers: { ...this.#headers, 'content-type': 'application/json', accept: 'application/json' },
          body: payload,
          signal: stop.signal,
        });
        this.#noteTime(reply.headers.date);
        const body = await this.#readAll(reply.body, call);
        return this.#parse(call, reply, body);
      } finally {
        release();
      }
    } catch (error) {
      throw this.#asError(call.method, error, stop, call.mutates && sent);
    } finally {
      stop.done();
    }
  }

  /** How far the peer's clock is ahead of ours, from its last reply's `Date` (whole seconds); null without one. */
  clockSkewMs: number | null = null;

  #noteTime(date: string | string[] | undefined): void {
    const said = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    // The header is truncated to whole seconds, so half a second is added on average.
    if (Number.isFinite(said)) this.clockSkewMs = said + 500 - Date.now();
  }

  async #readAll(
    body: Dispatcher.ResponseData['body'],
    call: { method: string; mutates: boolean },
  ): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > this.#options.limits.reply_bytes)
        throw this.failure(
          'bad_reply',
          call.method,
          `reply larger than ${this.#options.limits.reply_bytes} bytes`,
          {
            ambiguous: call.mutates,
          },
        );
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #parse<T>(call: RpcCall<T>, { statusCode }: { statusCode: number }, body: string): T {
    const wrong = (detail: string) =>
      this.failure('bad_reply', call.method, detail, { ambiguous: call.mutates });
    if (statusCode !== 200) throw this.#refused(call.method, statusCode, body, call.mutates);
    let value: unknown;
    try {
      // An Empty reply is `null` in JSON mode; older hosts send nothing.
      value = body === '' ? null : JSON.parse(body);
    } catch {
      throw wrong('the reply is not JSON; is this the address of a dstack-vmm?');
    }
    const parsed = call.reply.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw wrong(`reply field ${issue?.path.join('.') || '(all)'}: ${issue?.message ?? 'invalid'}`);
  }

  #refused(method: string, status: number, body: string, mutates: boolean): RpcError {
    const { kind, detail, text, retryable, ambiguous } = failureOfReply(status, body, this.#secrets());
    return this.failure(kind, method, detail, {
      ...(text === undefined ? {} : { host_text: text }),
      ...(retryable === undefined ? {} : { retryable }),
      ambiguous: mutates && ambiguous,
    });
  }

  /** GET whose response is streamed. Any status is returned; the caller decides. */
  stream(call: StreamCall): Promise<OpenStream> {
    return this.#traced(call.method, () => this.#stream(call));
  }

  async #stream(call: StreamCall): Promise<OpenStream> {
    const { limits } = this.#options;
    if (this.#closed) throw this.failure('unreachable', call.method, 'this connection was closed');
    if (this.#openStreams >= limits.streams)
      throw this.failure('unreachable', call.method, `${limits.streams} streams are already open`);
    const stop = new Stop(call.signal, limits.read_ms);
    this.#openStreams += 1;
    const ended = () => {
      stop.done();
      this.#openStreams -= 1;
    };
    let reply: Dispatcher.ResponseData;
    try {
      reply = await this.#streams.request({
        origin: call.origin ?? this.endpoint.origin,
        path: (call.origin === undefined ? this.endpoint.prefix : '') + call.path,
        method: 'GET',
        headers: call.origin === undefined ? this.#headers : {},
        signal: stop.signal,
        bodyTimeout: call.silence_ms,
      });
    } catch (error) {
      ended();
      throw this.#asError(call.method, error, stop, false);
    }
    stop.clearDeadline();
    reply.body.once('close', ended);
    // Aborting between two reads emits an error without a listener; the iteration below reports its own.
    reply.body.on('error', () => {});
    const body = this.#chunks(reply.body, call, stop);
    return {
      status: reply.statusCode,
      content_type: String(reply.headers['content-type'] ?? 'application/octet-stream'),
      body,
      text: async () => scrub(await head(body, 65_536), this.#secrets()),
    };
  }

  async *#chunks(
    body: Dispatcher.ResponseData['body'],
    call: StreamCall,
    stop: Stop,
  ): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
    } catch (error) {
      if (call.signal?.aborted) return;
      throw this.#asError(call.method, error, stop, false);
    } finally {
      body.destroy();
    }
  }

  failure(kind: RpcErrorKind, method: string, detail: string, extra: Partial<RpcErrorInit> = {}): RpcError {
    return new this.#options.errorClass({ kind, method, detail, endpoint: this.endpoint.label, ...extra });
  }

  #asError(method: string, error: unknown, stop: Stop, mayHaveHappened: boolean): unknown {
    if (error instanceof this.#options.errorClass) return error;
    if (stop.timedOut)
      return this.failure('timeout', method, `no complete response within ${stop.deadline_ms} ms`, {
        ambiguous: mayHaveHappened,
      });
    if (stop.signal.aborted) return stop.signal.reason;
    const { kind, detail, retryable, connected } = failureOfTransport(error);
    return this.failure(kind, method, scrub(detail, this.#secrets()), {
      retryable,
      ambiguous: mayHaveHappened && connected,
      cause: isParserError(error) ? undefined : error,
    });
  }

  #secrets(): string[] {
    return secretsOf(this.#options.credential);
  }

  /** Refuses new calls, waits for those in flight (each has a deadline) and closes streams. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#underWay);
    await Promise.all([this.#rpc.close(), this.#streams.destroy()]);
  }
}

function isStaleConnection(error: unknown, errorClass: RpcErrorClass): boolean {
  if (!(error instanceof errorClass) || error.kind !== 'unreachable') return false;
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** Returns the first `limit` bytes as text; ends the stream. */
export async function head(body: ByteStream, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

/** Combines a caller's signal and a deadline into one abort signal; `done` detaches it from both. */
class Stop {
  readonly deadline_ms: number;
  readonly signal: AbortSignal;
  timedOut = false;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason);

  constructor(caller: AbortSignal | undefined, deadline_ms: number) {
    this.deadline_ms = deadline_ms;
    this.#caller = caller;
    this.signal = this.#controller.signal;
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      this.#controller.abort(new Error('deadline'));
    }, deadline_ms);
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  clearDeadline(): void {
    clearTimeout(this.#timer);
  }

  done(): void {
    this.clearDeadline();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}
