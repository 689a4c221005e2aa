import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Traces of the server's work. Attributes name routes, methods, states and IDs; never a body, a query, a
 * credential, an email address, or a text written by a user or a host.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `server` answers a request, `client` makes one, `consumer` handles work queued by another process. */
export type SpanKind = 'server' | 'client' | 'consumer';

export interface Span {
  /** 32 hex digits, as in log lines. */
  readonly trace_id: string;
  /** Its position in W3C's format, by which another process continues the trace. */
  readonly traceparent: string;
  /** Starts a span below this one. */
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  /** Ends it, once. */
  end(result?: { name?: string; attributes?: SpanAttributes; is_error?: boolean }): void;
}

export interface SpanCounts {
  exported: number;
  /** Rejected by the collector. */
  failed: number;
  /** Not sent, because too many were waiting. */
  dropped: number;
}

export interface Tracing {
  /** Starts a span below `parent`, a traceparent; invalid ones are ignored. */
  start(
    name: string,
    options: { kind: SpanKind; parent?: string | null | undefined; attributes?: SpanAttributes },
  ): Span;
  /** Counts of this process. */
  counts(): SpanCounts;
  /** Sends waiting spans, for a few seconds at most. Never throws. */
  stop(): Promise<void>;
}

const current = new AsyncLocalStorage<Span>();

/** The span of the currently running code; undefined without tracing and in background work. */
export const currentSpan = (): Span | undefined => current.getStore();

/** Runs `work` as part of a span; without one, just runs it. */
export const inSpan = <T>(span: Span | undefined, work: () => T): T =>
  span ? current.run(span, work) : work();
