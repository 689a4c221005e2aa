import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { findAiGateway, noteAiGatewaySeen, type CallingGateway } from '../../db/ai/aiGateways';
import { AiError } from '../../domain/ai/aiError';
import { addressGroup } from '../../domain/core/address';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import type { Services } from '../../operations/types';

/** Requests per address and minute with a token that doesn't work. */
const MOST_REFUSED = 60;

export type GatewayReader = (req: Request) => Promise<CallingGateway>;

/**
 * Finds the gateway of a request's bearer token, which is stored as a hash.
 * @param token which of its two tokens the request needs
 */
export function createGatewayReader(
  { db, log }: Pick<Services, 'db' | 'log'>,
  token: 'control_hash' | 'config_hash',
): GatewayReader {
  const refused = new RateLimiterMemory({ points: MOST_REFUSED, duration: 60 });
  return async (req) => {
    const secret = /^Bearer (.+)$/i.exec(req.get('authorization') ?? '')?.[1]?.trim() ?? '';
    const gateway = isWellFormedToken(secret) ? await findAiGateway(db, token, hashToken(secret)) : undefined;
    if (!gateway) {
      // A token that works never depends on what others at its address send.
      if (!(await refused.consume(addressGroup(req.ip ?? '')).catch(() => null)))
        throw new AiError(429, 'rate_limit_error', null, 'Too many requests with invalid tokens.', {
          retryAfter: 60,
        });
      throw new AiError(
        401,
        'authentication_error',
        null,
        token === 'control_hash'
          ? 'Send the control token of an AI gateway of this server.'
          : 'Send the configuration token of an AI gateway of this server.',
      );
    }
    if (gateway.stale_seen)
      noteAiGatewaySeen(db, gateway.id).catch((error: unknown) =>
        log.warn({ err: error }, "couldn't record a gateway's call"),
      );
    return gateway;
  };
}
