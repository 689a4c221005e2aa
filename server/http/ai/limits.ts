import type { LiveAiKey, MinuteUse } from '../../db/ai/aiKeys';
import { AiError } from '../../domain/ai/aiError';
import { counted } from '../../../console/lib/texts/count';

/** Answers in progress, per process. */
const MAX_IN_PROGRESS = 2000;
const MAX_PER_TEAM = 1000;
/**
 * Total bytes of their bodies, in memory until they end: eight and three of the largest. Their texts are stored
 * twice.
 */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_BYTES_PER_TEAM = 96 * 1024 * 1024;
/** Bytes per body that aren't counted, since requests are: large ones in progress don't keep short ones out. */
const SMALL_BODY = 64 * 1024;
/** Bytes of unstreamed answers, which stay in memory until their clients have read them. */
const MAX_KEPT = 400 * 1024 * 1024;
const MAX_KEPT_PER_TEAM = 100 * 1024 * 1024;

interface InProgress {
  count: number;
  bytes: number;
  /** Bytes of answers. */
  kept: number;
}

interface Slot {
  /** Headers for the response. */
  headers: Record<string, string>;
  /**
   * Counts more bytes of the body before they are allocated.
   * @throws {AiError} 429, or 503 when the server is busy
   */
  reserve: (bytes: number) => void;
  /** Counts bytes of the answer kept in memory. @throws {AiError} 429, or 503 when the server is busy */
  keep: (bytes: number) => void;
  /** Call this when the request has ended. */
  leave: () => void;
}

export interface AiLimits {
  /**
   * Admits a request.
   * @param bytes of its body, as far as known
   * @throws {AiError} 429, or 503 when the server is busy
   */
  enter(key: LiveAiKey, bytes: number): Slot;
}

/** Limits the requests in progress in this process, and each key's requests and tokens per minute in all. */
export function createAiLimits(): AiLimits {
  const inProgress = new Map<number, InProgress>();
  const total: InProgress = { count: 0, bytes: 0, kept: 0 };

  /** Takes the request's slot before anything is awaited, so that concurrent requests count each other. */
  const takeSlot = ({ team_id }: LiveAiKey, bytes: number): Omit<Slot, 'headers'> => {
    const own = inProgress.get(team_id) ?? { count: 0, bytes: 0, kept: 0 };
    if (own.count >= MAX_PER_TEAM)
      throw tooMany(
        'too_many_concurrent_requests',
        `This team has ${counted(own.count, ['request', 'requests'])} in progress.`,
        1,
      );
    if (total.count >= MAX_IN_PROGRESS) throw busy();
    /** Bytes of the body, and the counted part. */
    let [size, large] = [0, 0];
    let kept = 0;
    let isOver = false;
    const reserve = (more: number) => {
      if (isOver) return;
      size += more;
      const added = Math.max(0, size - SMALL_BODY) - large;
      if (added > 0 && own.bytes + added > MAX_BYTES_PER_TEAM)
        throw tooMany(
          'too_many_concurrent_requests',
          'This team’s requests in progress use too much memory for their bodies.',
          1,
        );
      if (added > 0 && total.bytes + added > MAX_BYTES) throw busy();
      large += added;
      for (const counts of [own, total]) counts.bytes += added;
    };
    reserve(bytes);
    inProgress.set(team_id, own);
    for (const counts of [own, total]) counts.count++;
    return {
      reserve,
      keep(more) {
        if (isOver) return;
        if (own.kept + more > MAX_KEPT_PER_TEAM)
          throw tooMany(
            'too_many_concurrent_requests',
            'This team’s requests in progress use too much memory for their answers.',
            1,
          );
        if (total.kept + more > MAX_KEPT) throw busy();
        kept += more;
        for (const counts of [own, total]) counts.kept += more;
      },
      leave() {
        isOver = true;
        for (const counts of [own, total]) {
          counts.count--;
          counts.bytes -= large;
          counts.kept -= kept;
        }
        if (own.count === 0) inProgress.delete(team_id);
      },
    };
  };

  return {
    enter(key, bytes) {
      const slot = takeSlot(key, bytes);
      try {
        return { headers: admitInMinute(key), ...slot };
      } catch (error) {
        slot.leave();
        throw error;
      }
    },
  };
}

/**
 * Applies the key's limits per minute to a request that was counted when the key was read. An answer's tokens are
 * known only at its end, so answers in progress may exceed a minute's limit.
 * @returns headers for its response
 * @throws {AiError} 429
 */
export function admitInMinute(key: LiveAiKey): Record<string, string> {
  const { requests_per_minute, tokens_per_minute, minute_requests: sent, minute_tokens: used } = key;
  const ofTokens = shown('tokens', tokens_per_minute, used);
  if (tokens_per_minute !== null && used !== null && used.used >= tokens_per_minute)
    throw overMinute(`This key may use ${counted(tokens_per_minute, ['token', 'tokens'])} per minute.`, {
      limit: tokens_per_minute,
      left_ms: used.left_ms,
      headers: ofTokens,
    });
  const headers = { ...shown('requests', requests_per_minute, sent), ...ofTokens };
  if (requests_per_minute !== null && sent !== null && sent.used > requests_per_minute)
    throw overMinute(
      `This key may send ${counted(requests_per_minute, ['request', 'requests'])} per minute.`,
      { limit: requests_per_minute, left_ms: sent.left_ms, headers },
    );
  return headers;
}

const overMinute = (
  text: string,
  { limit, left_ms, headers }: { limit: number; left_ms: number; headers: Record<string, string> },
) => tooMany('rate_limit_exceeded', text, Math.max(1, Math.ceil(left_ms / 1000)), limit, headers);

const tooMany = (
  code: string,
  text: string,
  retryAfter: number,
  limit: number | null = null,
  headers: Record<string, string> = {},
) => new AiError(429, 'rate_limit_error', code, text, { retryAfter, limit, headers });

const busy = () =>
  new AiError(503, 'server_error', 'overloaded', 'The gateway is busy. Try again in a moment.', {
    retryAfter: 1,
  });

/** Returns the headers that OpenAI clients read, without unlimited ones. */
function shown(name: string, limit: number | null, use: MinuteUse | null): Record<string, string> {
  if (limit === null) return {};
  return {
    [`x-ratelimit-limit-${name}`]: String(limit),
    [`x-ratelimit-remaining-${name}`]: String(Math.max(0, limit - (use?.used ?? 0))),
    [`x-ratelimit-reset-${name}`]: `${use?.left_ms ?? 0}ms`,
  };
}
