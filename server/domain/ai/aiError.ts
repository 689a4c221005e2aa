/** Error types of the OpenAI API that the gateway uses. */
export type AiErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'insufficient_quota'
  // From Attested Confidential Inference (aci/1, §10).
  | 'not_found'
  | 'unauthorized'
  | 'upstream_verification_failed'
  | 'session_not_accepted'
  // From its extension E2EE v2, §9.
  | 'e2ee_header_missing'
  | 'e2ee_invalid_version'
  | 'e2ee_invalid_public_key'
  | 'e2ee_model_key_mismatch'
  | 'e2ee_invalid_nonce'
  | 'e2ee_replay_detected'
  | 'e2ee_invalid_timestamp'
  | 'e2ee_invalid_payload_model'
  | 'e2ee_decryption_failed'
  | 'e2ee_unsupported_endpoint'
  | 'server_error';

interface AiErrorBody {
  error: { message: string; type: AiErrorType; param: string | null; code: string | null };
}

interface AiErrorOptions {
  param?: string | null;
  retryAfter?: number | null;
  retry?: boolean;
  /** For a rate limit: requests per minute. */
  limit?: number | null;
  /** Of the response, besides `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  /** For the log. */
  cause?: unknown;
}

/** An error returned to the gateway's client, in the shape that OpenAI clients parse. */
export class AiError extends Error {
  readonly param: string | null;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | null;
  /** Whether clients may retry if the status suggests it. */
  readonly retry: boolean;
  readonly limit: number | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    readonly type: AiErrorType,
    readonly code: string | null,
    message: string,
    { param = null, retryAfter = null, retry = true, limit = null, headers = {}, cause }: AiErrorOptions = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.param = param;
    this.retryAfter = retryAfter;
    this.retry = retry;
    this.limit = limit;
    this.headers = headers;
  }

  /** The response's body: the same bytes are sent and hashed for the receipt. */
  get bytes(): Buffer {
    const body: AiErrorBody = {
      error: { message: this.message, type: this.type, param: this.param, code: this.code },
    };
    return Buffer.from(JSON.stringify(body));
  }
}

export const gatewayFailure = (cause: unknown): AiError =>
  new AiError(500, 'server_error', null, 'The gateway failed. Try again; the server logged the cause.', {
    cause,
  });
