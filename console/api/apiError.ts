import { curly } from '../lib/texts/curly';
import { retryTime, type FailedRead } from '../lib/recovery';
import type { Problem, ProblemCode, ProblemDetail, ValidationIssue } from '../../generated/api/types.gen';

export interface FieldFault {
  /** Dotted path inside the body ("env.0.key"), or the parameter's name. */
  field: string;
  message: string;
  /** The server's current value, if it sent one. */
  value?: unknown;
}

export type Suggestion = string | { label: string; href: string };

interface Parts {
  /** HTTP status; 0 if there was no response. */
  status: number;
  message: string;
  code?: string | undefined;
  request_id?: string | undefined;
  fields?: FieldFault[];
  suggestions?: Suggestion[];
  /** Seconds to wait, from Retry-After. */
  retry_after?: number | undefined;
  /** The resource's current version, if a 412 refused to change it. */
  etag?: string | undefined;
}

/** Any failed request, whatever its response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly request_id: string | undefined;
  readonly fields: FieldFault[];
  readonly suggestions: Suggestion[];
  readonly retry_after: number | undefined;
  readonly etag: string | undefined;
  /** When the response arrived, in Unix milliseconds; `retry_after` counts from here. */
  readonly at = Date.now();

  constructor(parts: Parts, cause?: unknown) {
    super(parts.message, { cause });
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.request_id = parts.request_id;
    this.fields = parts.fields ?? [];
    this.suggestions = parts.suggestions ?? [];
    this.retry_after = parts.retry_after;
    this.etag = parts.etag;
  }
}

export const isApiError = (error: unknown, status?: number): error is ApiError =>
  error instanceof ApiError && (status === undefined || error.status === status);

export const failedRead = (error: unknown): FailedRead | undefined =>
  isApiError(error)
    ? {
        status: error.status,
        retry_at: error.retry_after === undefined ? undefined : error.at + error.retry_after * 1000,
      }
    : undefined;

/** A save based on an outdated version. The form shows the changes, so no other error is shown. */
export class ConflictError extends Error {
  constructor(cause: ApiError) {
    super(cause.message, { cause });
    this.name = 'ConflictError';
  }
}

/** Whether the error has this code from the API document's `x-problems`. */
export const hasCode = (error: unknown, code: ProblemCode): error is ApiError =>
  isApiError(error) && error.code === code;

/**
 * Whether a change is stored until the app's contract allows it, rather than lost. It is allowed and committed on
 * the KMS tab.
 */
export const waitsForContract = (error: unknown): boolean => hasCode(error, 'ERR-01-005');

const NOT_CONFIRMED_CODES: readonly ProblemCode[] = ['ERR-00-031', 'ERR-07-002'];
const NOT_CONFIRMED = 'You canceled the confirmation, so nothing was changed.';

/**
 * Converts anything the generated client throws (a parsed body, text, or fetch's TypeError) to an ApiError.
 * Aborted requests pass through, because React Query recognizes them.
 */
export function toApiError(thrown: unknown, response: Response | undefined): unknown {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return thrown;
  if (!response) {
    return new ApiError(
      {
        status: 0,
        message: 'Couldn’t reach the server.',
        suggestions: ['Check your connection, then try again.'],
      },
      thrown,
    );
  }
  const request_id = response.headers.get('X-Request-Id') ?? undefined;
  const retry_after = seconds(response.headers.get('Retry-After'));
  const etag = response.headers.get('ETag') ?? undefined;
  const base = { status: response.status, request_id, retry_after, etag };
  if (!isProblem(thrown)) {
    // A proxy's error page or a truncated response.
    return new ApiError(
      {
        ...base,
        message: response.ok
          ? 'The server’s response couldn’t be read.'
          : `The server responded with ${response.status}${response.statusText ? ` ${response.statusText}` : ''}.`,
        suggestions: ['Try again in a moment.'],
      },
      thrown,
    );
  }
  // Reaches this point only if the user closed the confirmation dialog.
  if (NOT_CONFIRMED_CODES.includes(thrown.code))
    return new ApiError({ ...base, code: thrown.code, message: NOT_CONFIRMED }, thrown);
  return new ApiError(
    { ...base, code: thrown.code, request_id: thrown.request_id ?? request_id, ...fromDetail(thrown.detail) },
    thrown,
  );
}

function fromDetail(
  detail: Problem['detail'],
): Pick<Parts, 'message'> & Pick<Parts, 'fields' | 'suggestions'> {
  if (typeof detail === 'string') return { message: curly(detail) };
  if (Array.isArray(detail)) {
    const fields = detail.map(fieldOf);
    const message = fields.length === 1 ? 'One value is invalid.' : `${fields.length} values are invalid.`;
    return { message, fields };
  }
  if ('error' in detail)
    return { message: curly(detail.error_description ?? detail.error.replaceAll('_', ' ')) };
  return fromStructured(detail);
}

function fromStructured(detail: ProblemDetail) {
  const sentences = (detail.details ?? []).flatMap((item) =>
    item.field === undefined && item.message !== undefined ? [curly(item.message)] : [],
  );
  const fields = (detail.details ?? []).flatMap((item) =>
    item.field === undefined
      ? []
      : [
          {
            field: item.field,
            message: item.message === undefined ? String(item.value ?? '') : curly(item.message),
            ...(item.value === undefined ? {} : { value: item.value }),
          },
        ],
  );
  return {
    message: [curly(detail.message), ...sentences].join('\n'),
    fields,
    suggestions: [
      ...(detail.suggestions ?? []).map(curly),
      ...(detail.links ?? []).map((link) => ({ label: link.label, href: link.url })),
    ],
  };
}

/** `loc` starts with the location (body, query, path, header); forms know only the rest. */
function fieldOf(issue: ValidationIssue): FieldFault {
  const [where, ...path] = issue.loc;
  // The message names the field for clients that show nothing else.
  const named = `${String(path.at(-1) ?? '')}: `;
  const said = issue.msg.startsWith(named) ? issue.msg.slice(named.length) : issue.msg;
  return { field: path.length === 0 ? String(where ?? '') : path.join('.'), message: curly(said) };
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null || !('detail' in value)) return false;
  const { detail } = value;
  return typeof detail === 'string' || (typeof detail === 'object' && detail !== null);
}

function seconds(header: string | null): number | undefined {
  const time = retryTime(header);
  return time === undefined ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}
