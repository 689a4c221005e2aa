import { ApiError, ConflictError, type Suggestion } from './apiError';

/** Props of ErrorNotice; structurally the `Problem` of console/ui. */
export interface ShownProblem {
  title: string;
  message: string;
  code?: string;
  request_id?: string;
  details?: { field: string; message: string }[];
  suggestions?: Suggestion[];
  retry?: () => void;
}

/**
 * Converts an error for display. `title` says what failed: "Couldn’t create the team".
 * Returns null without an error, so that `mutation.error` can be passed directly.
 */
export function problemOf(error: unknown, title: string, retry?: () => void): ShownProblem | null {
  if (error === null || error === undefined || error instanceof ConflictError) return null;
  const again = retry ? { retry } : {};
  if (error instanceof ApiError) {
    // Not a failure: the server stores the change until the contract allows it.
    if (error.code === 'ERR-01-005')
      return {
        title: 'The change is waiting for the app’s contract',
        message: 'Nothing has changed yet. Allow it on the contract, then commit it on the KMS tab.',
        // The message says what to do, so only links are kept.
        suggestions: error.suggestions.filter((one) => typeof one !== 'string'),
      };
    return {
      title,
      message: waitMessage(error) ?? error.message,
      ...(error.code === undefined ? {} : { code: error.code }),
      ...(error.request_id === undefined ? {} : { request_id: error.request_id }),
      ...(error.fields.length === 0 ? {} : { details: error.fields }),
      ...(error.suggestions.length === 0 ? {} : { suggestions: error.suggestions }),
      ...again,
    };
  }
  const message =
    error instanceof Error && error.message !== '' ? error.message : 'Something went wrong on this page.';
  return { title, message, ...again };
}

/** Converts the error of a query without data, with a retry. Data that can’t be refreshed stays on screen instead. */
export function loadProblem(
  { data, error, refetch }: { data: unknown; error: unknown; refetch: () => unknown },
  title: string,
): ShownProblem | null {
  return data === undefined ? problemOf(error, title, () => void refetch()) : null;
}

/** "Too many attempts. Try again in 2 min.", with the server's Retry-After. */
function waitMessage(error: ApiError): string | undefined {
  if (error.status !== 429) return undefined;
  const wait = error.retry_after;
  if (wait === undefined) return 'Too many attempts. Wait a minute, then try again.';
  const text = wait < 90 ? `${Math.max(1, wait)} s` : `${Math.ceil(wait / 60)} min`;
  return `Too many attempts. Try again in ${text}.`;
}
