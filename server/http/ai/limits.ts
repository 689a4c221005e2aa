import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { LiveAiKey } from '../../db/ai/aiKeys';
import { AiError } from '../../domain/ai/aiError';
import { counted } from '../../../console/lib/texts/count';

const MINUTE = 60;
/** Answers in progress, per process. */
const MOST_IN_PROGRESS = 2000;
const MOST_PER_TEAM = 1000;
/** Bytes of their bodies, which stay in memory until they end. */
const MOST_BYTES = 200 * 1024 * 1024;
const MOST_BYTES_PER_TEAM = 50 * 1024 * 1024;

interface InProgress {
  count: number;
  bytes: number;
}

export interface AiLimits {
  /**
   * Admits a request and counts it.
   * @param bytes of its body, at most
   * @returns headers for its response, and `leave` to call when it has ended
   * @throws {AiError} 429, or 503 when the server is busy
   */
  enter(key: LiveAiKey, bytes: number): Promise<{ headers: Record<string, string>; leave: () => void }>;
  /** Counts a request that another gateway answers. @throws {AiError} 429 */
  admit(key: LiveAiKey): Promise<void>;
  /** Counts the tokens of an answer, known only at its end: a minute may exceed its limit by the answers in progress. */
  countTokens(key: Pick<LiveAiKey, 'id'>, tokens: number): Promise<void>;
}

/** Counts each key's use of the current minute, in this process. */
export function createAiLimits(): AiLimits {
  // The limits are the keys' own; here everything is only counted.
  const counter = () => new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: MINUTE });
  const [requests, tokens] = [counter(), counter()];
  const inProgress = new Map<number, InProgress>();
  const total: InProgress = { count: 0, bytes: 0 };

  /** Takes the request's place before anything is awaited, so that concurrent requests count each other. */
  const takePlace = ({ team_id }: LiveAiKey, bytes: number) => {
    const own = inProgress.get(team_id) ?? { count: 0, bytes: 0 };
    if (own.count >= MOST_PER_TEAM || own.bytes + bytes > MOST_BYTES_PER_TEAM)
      throw tooMany(
        'too_many_concurrent_requests',
        `This team has ${counted(own.count, ['request', 'requests'])} in progress.`,
        1,
      );
    if (total.count >= MOST_IN_PROGRESS || total.bytes + bytes > MOST_BYTES)
      throw new AiError(503, 'server_error', 'overloaded', 'The gateway is busy. Try again in a moment.', {
        retryAfter: 1,
      });
    inProgress.set(team_id, own);
    for (const place of [own, total]) {
      place.count++;
      place.bytes += bytes;
    }
    return () => {
      for (const place of [own, total]) {
        place.count--;
        place.bytes -= bytes;
      }
      if (own.count === 0) inProgress.delete(team_id);
    };
  };

  /** Counts a request. @returns headers for its response */
  const count = async (key: LiveAiKey) => {
    const used = await tokens.get(String(key.id));
    if (key.tokens_per_minute !== null && (used?.consumedPoints ?? 0) >= key.tokens_per_minute)
      throw tooMany(
        'rate_limit_exceeded',
        `This key may use ${counted(key.tokens_per_minute, ['token', 'tokens'])} per minute.`,
        secondsOf(used),
        key.tokens_per_minute,
      );
    const sent = await requests.consume(String(key.id));
    if (key.requests_per_minute !== null && sent.consumedPoints > key.requests_per_minute)
      throw tooMany(
        'rate_limit_exceeded',
        `This key may send ${counted(key.requests_per_minute, ['request', 'requests'])} per minute.`,
        secondsOf(sent),
        key.requests_per_minute,
      );
    return {
      ...shown('requests', key.requests_per_minute, sent),
      ...shown('tokens', key.tokens_per_minute, used),
    };
  };

  return {
    async enter(key, bytes) {
      const leave = takePlace(key, bytes);
      try {
        return { headers: await count(key), leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
    async admit(key) {
      await count(key);
    },
    async countTokens(key, used) {
      if (used > 0) await tokens.penalty(String(key.id), used);
    },
  };
}

const tooMany = (code: string, text: string, retryAfter: number, limit: number | null = null) =>
  new AiError(429, 'rate_limit_error', code, text, { retryAfter, limit });

const secondsOf = (used: RateLimiterRes | null) => Math.max(1, Math.ceil((used?.msBeforeNext ?? 0) / 1000));

/** The headers OpenAI clients read; none for what has no limit. */
function shown(name: string, limit: number | null, used: RateLimiterRes | null): Record<string, string> {
  if (limit === null) return {};
  return {
    [`x-ratelimit-limit-${name}`]: String(limit),
    [`x-ratelimit-remaining-${name}`]: String(Math.max(0, limit - (used?.consumedPoints ?? 0))),
    [`x-ratelimit-reset-${name}`]: `${Math.max(0, used?.msBeforeNext ?? 0)}ms`,
  };
}
