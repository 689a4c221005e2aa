import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressGroup } from '../../domain/core/address';
import { isWithin } from './rateHeaders';

/** Requests per address and minute with a token that doesn't work. */
const REFUSED = { name: 'wrong_tokens', points: 60, duration: 60 };

/**
 * Counts requests with tokens that don't work by the address they come from. Count only after the token was looked up: a
 * caller whose token works never depends on what others at its address send.
 * @returns a function that counts a request, and says whether its address may send more of them
 */
export function createWrongTokens(): (req: Request) => Promise<boolean> {
  const refused = new RateLimiterMemory(REFUSED);
  return (req) => isWithin(refused, REFUSED, addressGroup(req.ip ?? ''), req.res);
}
