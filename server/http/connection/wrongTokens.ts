import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressGroup } from '../../domain/core/address';

/** Requests per address and minute with a token that doesn't work. */
const MOST_REFUSED = 60;

/**
 * Counts requests with tokens that don't work by the address they come from. Count only after the token was looked up: a
 * caller whose token works never depends on what others at its address send.
 * @returns a function that counts a request, and says whether its address may send more of them
 */
export function createWrongTokens(): (req: Request) => Promise<boolean> {
  const refused = new RateLimiterMemory({ points: MOST_REFUSED, duration: 60 });
  return async (req) => {
    const within = await refused.consume(addressGroup(req.ip ?? '')).catch(() => null);
    return within !== null;
  };
}
