import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressGroup } from '../../domain/core/address';
import { isWithin } from './rateHeaders';

/** Requests with an invalid token per IP address and minute. */
const REFUSED = { name: 'wrong_tokens', points: 60, duration: 60 };

/**
 * Counts requests with invalid tokens by IP address. Count only after the token lookup: a caller with a valid
 * token never depends on other clients at its address.
 * @returns a function that counts a request and returns whether its address may send more
 */
export function createWrongTokens(): (req: Request) => Promise<boolean> {
  const refused = new RateLimiterMemory(REFUSED);
  return (req) => isWithin(refused, REFUSED, addressGroup(req.ip ?? ''), req.res);
}
