/** Error types of the OpenAI API that the gateway uses. */
export type AiErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'server_error';

export interface AiErrorBody {
  error: { message: string; type: AiErrorType; param: string | null; code: string | null };
}

/** An error that the gateway's client reads, in the shape OpenAI clients parse. */
export class AiError extends Error {
  readonly param: string | null;
  /** Seconds after which repeating makes sense. */
  readonly retryAfter: number | null;

  constructor(
    readonly status: number,
    readonly type: AiErrorType,
    readonly code: string | null,
    message: string,
    { param = null, retryAfter = null }: { param?: string | null; retryAfter?: number | null } = {},
  ) {
    super(message);
    this.param = param;
    this.retryAfter = retryAfter;
  }

  get body(): AiErrorBody {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.code } };
  }
}
