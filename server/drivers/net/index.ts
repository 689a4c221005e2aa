export type OutboundErrorKind =
  /** not https, or a private, link-local or metadata address */
  | 'refused'
  /** the name has no address */
  | 'unknown_host'
  /** no connection, a broken one, or an untrusted certificate */
  | 'unreachable'
  | 'timeout'
  | 'too_large';

/** A failed request. `message` is a sentence for the user who typed the address. */
export class OutboundError extends Error {
  constructor(
    readonly kind: OutboundErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Parts are sent one after the other, without copying them. */
  body?: string | Uint8Array | readonly Uint8Array[] | undefined;
  /** For everything, from name resolution to the last byte. */
  timeout_ms?: number;
  /** Maximum length of the body that is read. */
  max_bytes?: number;
  signal?: AbortSignal | undefined;
}

/** A reply whose body is streamed. */
export interface OutboundStream {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Must be read, or `signal` aborted: an unread body keeps its connection. Throws OutboundError. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Requests to addresses that customers typed. Every address a name resolves to is checked, and the connection uses a
 * checked one, so a second lookup can't give another result. Redirects are returned, not followed.
 */
export interface Outbound {
  /** Throws OutboundError if connecting to the address isn't allowed. */
  check(url: URL): Promise<void>;
  /** Returns the whole response. Throws OutboundError. */
  fetch(url: URL, request?: OutboundRequest): Promise<Response>;
  /**
   * Returns the reply as soon as it starts; `timeout_ms` limits each wait, and `max_bytes` doesn't apply.
   * Throws OutboundError.
   */
  open(url: URL, request?: OutboundRequest): Promise<OutboundStream>;
  /** Returns only the status and reads none of the body, however long. Throws OutboundError. */
  status(url: URL, request?: OutboundRequest): Promise<number>;
  close(): Promise<void>;
}
