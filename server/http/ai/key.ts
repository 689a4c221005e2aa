import type { Request } from 'express';
import { findLiveAiKey, noteAiKeyUse, type LiveAiKey } from '../../db/ai/aiKeys';
import { AiError } from '../../domain/ai/aiError';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import type { Services } from '../../operations/types';
import { createWrongTokens } from '../connection/wrongTokens';

export type KeyReader = (req: Request) => Promise<LiveAiKey>;

/**
 * Finds the key of a request's bearer token. One indexed query per request and nothing cached, so a revoked key is
 * refused on its next request.
 */
export function createKeyReader({ db, log }: Pick<Services, 'db' | 'log'>): KeyReader {
  const mayTry = createWrongTokens();
  return async (req) => {
    const secret = /^Bearer (.+)$/i.exec(req.get('authorization') ?? '')?.[1]?.trim();
    if (secret === undefined) throw unauthorized('Send an AI key: Authorization: Bearer thk_ai_….');
    const key = isWellFormedToken(secret) ? await findLiveAiKey(db, hashToken(secret)) : undefined;
    if (!key) {
      if (!(await mayTry(req)))
        throw new AiError(
          429,
          'rate_limit_error',
          'rate_limit_exceeded',
          'Too many requests with invalid keys from this address.',
          { retryAfter: 60 },
        );
      throw unauthorized(
        secret.startsWith('thk_api_') || secret.startsWith('thk_cli_')
          ? 'This is an API token. The AI gateway takes AI keys (thk_ai_…).'
          : 'This AI key is not valid. It may have been revoked, or have expired.',
      );
    }
    if (key.stale_use)
      noteAiKeyUse(db, key.id).catch((error: unknown) =>
        log.warn({ err: error }, "couldn't record a key's use"),
      );
    return key;
  };
}

const unauthorized = (text: string) => new AiError(401, 'authentication_error', 'invalid_api_key', text);
