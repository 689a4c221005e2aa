import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../../domain/core/problem';

/** Requests that one host name is sent an hour on behalf of visitors, by all of them together: any visitor can name it. */
const perHost = new RateLimiterMemory({ points: 30, duration: 3_600 });

/** @throws RATE_LIMITED */
export async function countTarget(hostname: string): Promise<void> {
  await perHost.consume(hostname.toLowerCase()).catch(() => {
    throw new Problem('RATE_LIMITED', {
      message: `Too many requests were sent to ${hostname}. Try again in an hour.`,
      retryAfter: 3_600,
    });
  });
}
