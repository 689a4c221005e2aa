import type { Request } from 'express';
import {
  findAiGateway,
  noteAiGatewaySeen,
  type CallingGateway,
  type GatewayTask,
} from '../../db/ai/aiGateways';
import { AiError } from '../../domain/ai/aiError';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import type { Services } from '../../operations/types';
import { createWrongTokens } from '../connection/wrongTokens';

export type GatewayReader = (req: Request) => Promise<CallingGateway>;

/** Finds the gateway of a request's bearer token, which is stored as a hash. */
export function createGatewayReader(
  { db, log }: Pick<Services, 'db' | 'log'>,
  task: GatewayTask,
): GatewayReader {
  const mayTry = createWrongTokens();
  return async (req) => {
    const secret = /^Bearer (.+)$/i.exec(req.get('authorization') ?? '')?.[1]?.trim() ?? '';
    const gateway = isWellFormedToken(secret) ? await findAiGateway(db, task, hashToken(secret)) : undefined;
    if (!gateway) {
      if (!(await mayTry(req)))
        throw new AiError(429, 'rate_limit_error', null, 'Too many requests with invalid tokens.', {
          retryAfter: 60,
        });
      throw new AiError(
        401,
        'authentication_error',
        null,
        task === 'configure'
          ? 'Send the configuration token of an AI gateway of this server.'
          : 'Send the control token of an AI gateway of this server.',
      );
    }
    if (gateway.stale_seen)
      noteAiGatewaySeen(db, gateway.id).catch((error: unknown) =>
        log.warn({ err: error }, "couldn't record a gateway's call"),
      );
    return gateway;
  };
}
