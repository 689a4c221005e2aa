import { ApiError, isTemporary, secondsIn } from './apiError';

export interface RetryOptions {
  /** Maximum retries. */
  retries: number;
  /** Milliseconds that one attempt may take. */
  timeout_ms: number;
  /** Whether a temporary 409 is also retried. */
  conflicts: boolean;
}

/** Longest wait for a Retry-After; beyond it, the response is returned. */
const MAX_SECONDS = 60;
const FIRST_WAIT_MS = 500;

/**
 * fetch with retries as the API requires: after Retry-After for temporary refusals, and after a broken connection
 * or gateway error only if the request can't take effect twice, that is for reads and with an Idempotency-Key.
 * Redirects are refused, because they would send the token to another address.
 */
export function withRetries(send: typeof fetch, options: RetryOptions): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= options.retries;
      try {
        const response = await once(send, request.clone(), options.timeout_ms);
        const wait_ms = isLast ? undefined : await waitAfter(response, request, attempt, options);
        if (wait_ms === undefined) return response;
        await pause(wait_ms, request.signal);
      } catch (error) {
        const isOver = error instanceof ApiError || request.signal.aborted;
        if (isOver || isLast || !isRepeatable(request)) throw error;
        await pause(backoff(attempt), request.signal);
      }
    }
  };
}

async function once(send: typeof fetch, request: Request, timeout_ms: number): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout_ms)]);
  const response = await send(new Request(request, { redirect: 'manual', signal }));
  if (response.type !== 'opaqueredirect' && ![301, 302, 303, 307, 308].includes(response.status))
    return response;
  const to = response.headers.get('location');
  throw new ApiError({
    status: response.status,
    message: `The server redirects${to === null ? '' : ` to ${to.slice(0, 200)}`}. Use the address that it redirects to.`,
  });
}

const isRepeatable = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');

/** Milliseconds until the next attempt; undefined to return this response. */
async function waitAfter(
  response: Response,
  request: Request,
  attempt: number,
  { conflicts }: RetryOptions,
): Promise<number | undefined> {
  const { status, headers } = response;
  if (status === 502 || status === 504) return isRepeatable(request) ? backoff(attempt) : undefined;
  if (status !== 429 && status !== 503 && !(status === 409 && conflicts)) return undefined;
  if (status === 409) {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (!isTemporary(status, body)) return undefined;
  }
  const seconds = secondsIn(headers);
  if (seconds === undefined) return backoff(attempt);
  return seconds <= MAX_SECONDS ? Math.max(seconds * 1000, FIRST_WAIT_MS) : undefined;
}

/** With jitter, so that clients that failed together don't retry together. */
const backoff = (attempt: number): number => FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
