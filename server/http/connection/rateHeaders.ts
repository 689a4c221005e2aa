import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** The part of a response that sets headers. */
export interface HeaderTarget {
  setHeader(name: string, value: string): unknown;
}

export interface RatePolicy {
  /** Policy name: letters and underscores. */
  name: string;
  /** Requests per window. */
  points: number;
  /** Seconds of a window. */
  duration: number;
}

/**
 * States a limit and its remainder in the fields of draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy:
 * "write";q=60;w=60` and `RateLimit: "write";r=59;t=42`, with requests left (r) and seconds until a full reset (t).
 */
export function setRateHeaders(
  target: HeaderTarget | undefined,
  { name, points, duration }: RatePolicy,
  { remainingPoints, msBeforeNext }: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>,
): void {
  target?.setHeader('RateLimit-Policy', `"${name}";q=${points};w=${duration}`);
  target?.setHeader(
    'RateLimit',
    `"${name}";r=${Math.max(0, remainingPoints)};t=${Math.max(0, Math.ceil(msBeforeNext / 1000))}`,
  );
}

/** Counts a request under a key and sets the headers. @returns whether it is within the limit */
export async function isWithin(
  limiter: RateLimiterAbstract,
  policy: RatePolicy,
  key: string | number,
  response: HeaderTarget | undefined,
): Promise<boolean> {
  try {
    setRateHeaders(response, policy, await limiter.consume(key));
    return true;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    setRateHeaders(response, policy, refusal);
    return false;
  }
}
