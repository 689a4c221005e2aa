import { useEffect, useState } from 'react';
import { isApiError } from './apiError';
import { problemOf, type ShownProblem } from './problem';

/** Used if the server sends no Retry-After. */
const UNSAID_SECONDS = 60;

/**
 * Returns a form's error and a countdown in seconds until the server accepts another attempt. The error clears when the
 * countdown ends.
 */
export function useProblem(
  error: unknown,
  title: string,
): { problem: ShownProblem | null; waitSeconds: number | undefined } {
  const limited = isApiError(error, 429);
  const seconds = limited ? (error.retry_after ?? UNSAID_SECONDS) : 0;
  const until = limited ? error.at + seconds * 1000 : 0;
  const [now, setNow] = useState(0);

  useEffect(() => {
    if (until === 0) return undefined;
    const look = () => {
      setNow(Date.now());
      if (Date.now() >= until) clearInterval(timer);
    };
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [until]);

  if (!limited) return { problem: problemOf(error, title), waitSeconds: undefined };
  const left = Math.min(seconds, Math.ceil((until - now) / 1000));
  return left > 0
    ? { problem: problemOf(error, title), waitSeconds: left }
    : { problem: null, waitSeconds: undefined };
}
