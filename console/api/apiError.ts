import type { Problem, ProblemCode, ProblemDetail, ValidationIssue } from '../../generated/api/types.gen';

export interface FieldFault {
  /** Dotted path inside the body ("env.0.key"), or the parameter's name. */
  field: string;
  message: string;
  /** What the server has there, where it says so. */
  value?: unknown;
}

export type Suggestion = string | { label: string; href: string };

interface Parts {
  /** HTTP status; 0 when no answer came. */
  status: number;
  message: string;
  code?: string | undefined;
  request_id?: string | undefined;
  fields?: FieldFault[];
  suggestions?: Suggestion[];
  /** Seconds the server asked to wait. */
  retry_after?: number | undefined;
}

/** Every failure of a request, whatever form the answer had. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly request_id: string | undefined;
  readonly fields: FieldFault[];
  readonly suggestions: Suggestion[];
  readonly retry_after: number | undefined;
  /** When it came, in milliseconds since 1970: `retry_after` counts from here. */
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
  }
}

export const isApiError = (error: unknown, status?: number): error is ApiError =>
  error instanceof ApiError && (status === undefined || error.status === status);

/** Whether it is this refusal of the document's `x-problems`. */
export const hasCode = (error: unknown, code: ProblemCode): error is ApiError =>
  isApiError(error) && error.code === code;

const NOT_CONFIRMED_CODES: readonly ProblemCode[] = ['ERR-00-031', 'ERR-07-002'];
const NOT_CONFIRMED = 'You did not confirm that it is you, so nothing was changed.';

/**
 * What the generated client throws (a parsed body, a text, or fetch's own TypeError) as an ApiError.
 * Cancelled requests stay what they are: React Query knows them.
 */
export function toApiError(thrown: unknown, response: Response | undefined): unknown {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return thrown;
  if (!response) {
    return new ApiError(
      {
        status: 0,
        message: 'The server could not be reached.',
        suggestions: ['Check your connection, then try again.'],
      },
      thrown,
    );
  }
  const request_id = response.headers.get('X-Request-Id') ?? undefined;
  const retry_after = seconds(response.headers.get('Retry-After'));
  const base = { status: response.status, request_id, retry_after };
  if (!isProblem(thrown)) {
    // A proxy's own error page, or an answer cut short.
    return new ApiError(
      {
        ...base,
        message: response.ok
          ? 'The answer of the server could not be read.'
          : `The server answered ${response.status}${response.statusText ? ` ${response.statusText}` : ''}.`,
        suggestions: ['Try again in a moment.'],
      },
      thrown,
    );
  }
  // It comes through only when the person closed the dialog that asked them.
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
  if (typeof detail === 'string') return { message: detail };
  if (Array.isArray(detail)) {
    const fields = detail.map(fieldOf);
    const message =
      fields.length === 1 ? 'One value was not accepted.' : `${fields.length} values were not accepted.`;
    return { message, fields };
  }
  if ('error' in detail) return { message: detail.error_description ?? detail.error.replaceAll('_', ' ') };
  return fromStructured(detail);
}

function fromStructured(detail: ProblemDetail) {
  const sentences = (detail.details ?? []).flatMap((item) =>
    item.field === undefined && item.message !== undefined ? [item.message] : [],
  );
  const fields = (detail.details ?? []).flatMap((item) =>
    item.field === undefined
      ? []
      : [
          {
            field: item.field,
            message: item.message ?? String(item.value ?? ''),
            ...(item.value === undefined ? {} : { value: item.value }),
          },
        ],
  );
  return {
    message: [detail.message, ...sentences].join('\n'),
    fields,
    suggestions: [
      ...(detail.suggestions ?? []),
      ...(detail.links ?? []).map((link) => ({ label: link.label, href: link.url })),
    ],
  };
}

/** `loc` begins with where it was sent (body, query, path, header); forms know only what follows. */
function fieldOf(issue: ValidationIssue): FieldFault {
  const [where, ...path] = issue.loc;
  return { field: path.length === 0 ? String(where ?? '') : path.join('.'), message: issue.msg };
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null || !('detail' in value)) return false;
  const { detail } = value;
  return typeof detail === 'string' || (typeof detail === 'object' && detail !== null);
}

/** Retry-After is seconds or a date (RFC 9110 §10.2.3). */
function seconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const number = Number(header);
  if (Number.isFinite(number)) return Math.max(0, Math.ceil(number));
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
