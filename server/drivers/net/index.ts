export type OutboundErrorKind =
  /** not https, or a private, link-local or metadata address */
  | 'refused'
  /** the name has no address */
  | 'unknown_host'
  /** no connection, a broken one, or a certificate that is not to be trusted */
  | 'unreachable'
  | 'timeout'
  | 'too_large';

/** A request that had no answer. `message` is a sentence for the person who typed the address. */
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
  body?: string | Uint8Array | undefined;
  /** For everything, from the name's resolution to the last byte. */
  timeout_ms?: number;
  /** Longest body that is read. */
  max_bytes?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Requests to addresses that customers typed. Every address a name resolves to is checked, and the connection goes to
 * the one that was checked, so that a name cannot answer twice differently. Redirects are answers, not followed.
 */
export interface Outbound {
  /** Throws OutboundError when the address is not one to connect to. */
  check(url: URL): Promise<void>;
  /** The whole answer, read to its end. Throws OutboundError. */
  fetch(url: URL, request?: OutboundRequest): Promise<Response>;
  /** Only its status: of the body nothing is read, however much of it there is. Throws OutboundError. */
  status(url: URL, request?: OutboundRequest): Promise<number>;
  close(): Promise<void>;
}
