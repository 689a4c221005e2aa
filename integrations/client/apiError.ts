import type { Problem } from '../../generated/api/types.gen';

export interface FieldFault {
  /** Dotted path inside the body, or the parameter's name. */
  field: string;
  message: string;
}

interface Parts {
  status: number;
  message: string;
  code?: string | undefined;
  request_id?: string | undefined;
  retry_after?: number | undefined;
  is_temporary?: boolean;
  fields?: FieldFault[];
  suggestions?: string[];
}

/** A failed request. The message is a sentence for users; it never contains the token. */
export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Error code, such as `ERR-00-016`. */
  readonly code: string | undefined;
  readonly request_id: string | undefined;
  /** Seconds to wait before a retry, from Retry-After. */
  readonly retry_after: number | undefined;
  /** Whether the same request can succeed later: 429, 503, and a 409 that says so. */
  readonly is_temporary: boolean;
  readonly fields: readonly FieldFault[];
  /** What to do, most useful first. */
  readonly suggestions: readonly string[];

  constructor(parts: Parts, cause?: unknown) {
    super(parts.message, { cause });
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.request_id = parts.request_id;
    this.retry_after = parts.retry_after;
    this.is_temporary = parts.is_temporary ?? false;
    this.fields = parts.fields ?? [];
    this.suggestions = parts.suggestions ?? [];
  }
}

/**
 * Converts an error of the generated client (a parsed body, text, or fetch's error) to an ApiError; aborts are
 * kept.
 */
export function toApiError(thrown: unknown, response: Response | undefined): unknown {
  if (thrown instanceof ApiError || (thrown instanceof DOMException && thrown.name === 'AbortError'))
    return thrown;
  if (response === undefined) return new ApiError({ status: 0, message: unreachable(thrown) }, thrown);
  const base = {
    status: response.status,
    request_id: response.headers.get('x-request-id') ?? undefined,
    retry_after: secondsIn(response.headers),
  };
  if (!isProblem(thrown))
    return new ApiError({
      ...base,
      is_temporary: response.status === 429 || response.status === 503,
      message: response.ok
        ? 'The server’s response couldn’t be read.'
        : `The server responded with ${response.status}, and not as this API does. Check its address.`,
    });
  return new ApiError({
    ...base,
    code: thrown.code,
    message: thrown.message,
    is_temporary: isTemporary(response.status, thrown),
    request_id: thrown.request_id,
    suggestions: thrown.suggestions,
    fields: thrown.details.flatMap(({ field, message }) =>
      field === undefined ? [] : [{ field, message: message ?? '' }],
    ),
  });
}

/** A 409 is temporary if its top level has no `error_code`. */
export const isTemporary = (status: number, body: unknown): boolean =>
  status === 429 ||
  status === 503 ||
  (status === 409 && typeof body === 'object' && body !== null && !('error_code' in body));

/** Seconds in Retry-After; undefined without a number. */
export function secondsIn(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/** Node hides the reason in the cause, such as an unresolvable name or an untrusted certificate. */
function unreachable(thrown: unknown): string {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError')
    return 'The server didn’t respond in time.';
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (!(cause instanceof Error)) return 'Couldn’t reach the server.';
  return `Couldn’t reach the server (${'code' in cause ? String(cause.code) : cause.message}).`;
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string' &&
    'details' in value &&
    Array.isArray(value.details) &&
    'suggestions' in value &&
    Array.isArray(value.suggestions)
  );
}
