import type { Request } from 'express';
import { findLiveAiKeys, noteAiKeyUse, type LiveAiKey, type SoughtAiKey } from '../../db/ai/aiKeys';
import { AiError } from '../../domain/ai/aiError';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import type { Services } from '../../operations/types';
import { createWrongTokens } from '../connection/wrongTokens';
import { createBatches } from './batches';

/** @param counts whether the request counts toward the key's limits per minute */
export type KeyReader = (req: Request, use?: Pick<SoughtAiKey, 'counts'>) => Promise<LiveAiKey>;

const MAX_CONCURRENT = 100;

/** Maximum concurrent key lookups per process. */
const MAX_WAITING = 2000;
const PATIENCE_MS = 1_000;
const GATHER_MS = 4;

/**
 * Finds a key by the hash of its secret, and counts the request. Nothing is cached, so a revoked key is refused on its next request.
 * @throws {AiError} 503 if too many lookups are in progress, 403 if the team turned the AI API off
 */
export function createKeyFinder({
  db,
}: Pick<Services, 'db'>): (sought: SoughtAiKey) => Promise<LiveAiKey | undefined> {
  const find = createBatches({
    run: (sought: readonly SoughtAiKey[]) => findLiveAiKeys(db, sought),
    most: MAX_CONCURRENT,
    gather_ms: GATHER_MS,
    patience_ms: PATIENCE_MS,
  });
  let waiting = 0;
  return async (sought) => {
    if (waiting >= MAX_WAITING)
      throw new AiError(503, 'server_error', 'overloaded', 'The gateway is busy. Try again in a moment.', {
        retryAfter: 1,
      });
    waiting++;
    try {
      const key = await find(sought);
      if (key && !key.is_enabled) throw turnedOff();
      return key;
    } finally {
      waiting--;
    }
  };
}

/** Finds the key for a request's bearer token. */
export function createKeyReader({ db, log }: Pick<Services, 'db' | 'log'>): KeyReader {
  const find = createKeyFinder({ db });
  const mayTry = createWrongTokens();
  return async (req, { counts } = { counts: false }) => {
    const secret = /^Bearer (.+)$/i.exec(req.get('authorization') ?? '')?.[1]?.trim();
    if (secret === undefined) throw unauthorized('Send an AI key: Authorization: Bearer thk_ai_….');
    const key = isWellFormedToken(secret) ? await find({ hash: hashToken(secret), counts }) : undefined;
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
          : 'Invalid AI key. It may have expired or been revoked.',
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

export const turnedOff = () =>
  new AiError(
    403,
    'permission_error',
    'ai_api_off',
    'This key’s team turned the AI API off. Its owner or an admin can turn it on under Confidential AI.',
    { retry: false },
  );
