import type { Request } from 'express';
import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { addressGroup } from '../domain/core/address';
import { Problem } from '../domain/core/problem';
import type { Config } from '../config';
import { ownValue } from '../../console/lib/ownValue';
import { setRateHeaders, type HeaderTarget } from './connection/rateHeaders';

/** Key of a share: the user, or the IP address without one. */
interface Counted {
  caller: { user: { id: number } | null };
  ip: string;
}

export interface RateLimits {
  /**
   * Counts a request and states the limit in the response headers.
   * @throws ERR-00-008 with Retry-After if the caller has used up its share of this class
   */
  consume(rate: string, counted: Counted, response?: HeaderTarget): Promise<void>;
}

/** Counts a page's visitor by IP address, even with a session. */
export const visitor = (req: Request): Counted => ({ caller: { user: null }, ip: req.ip ?? '' });

/**
 * Classes come from the document (`x-limits.rate`). Guessable secrets (sign-in, device codes) are counted in the
 * database, so that more processes don't allow more guesses; everything else is counted in this process.
 */
export function createRateLimits(config: Pick<Config, 'signIn' | 'writesPerMinute'>, pool: Pool): RateLimits {
  const shared = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    });
  const local = (points: number, duration: number) => new RateLimiterMemory({ points, duration });
  const classes: Record<string, RateLimiterAbstract> = {
    // Bounds an address's work (each password costs a hash). Wrong guesses are counted where they are judged
    // (domain/accounts/guessLimits.ts), because an office of users who sign in correctly shares one address too.
    sign_in: shared('sign_in', config.signIn.attempts * 30, config.signIn.windowSeconds),
    device: shared('device', 120, 60),
    public: local(config.writesPerMinute * 2, 60),
    // Each makes this server contact other systems, which take an unbounded time.
    probe: shared('probe', 20, 60),
    // Each sends mail to an arbitrary address.
    mail: shared('mail', Math.ceil(config.writesPerMinute / 60), 3_600),
    // Each analyzes a Compose file, using up to a second of one core. An editor sends about ten per minute.
    analysis: local(Math.ceil(config.writesPerMinute / 5), 60),
    // Each renders a PDF of up to 2,000 rows in this process.
    render: local(Math.ceil(config.writesPerMinute / 20), 60),
    read: local(config.writesPerMinute * 20, 60),
    write: local(config.writesPerMinute, 60),
  };
  return {
    async consume(rate, { caller, ip }, response) {
      const name = Object.hasOwn(classes, rate) ? rate : 'write';
      const limiter = ownValue(classes, name);
      if (!limiter) return;
      const policy = { name, points: limiter.points, duration: limiter.duration };
      const who =
        rate === 'device' || rate === 'mail' || !caller.user
          ? `ip:${addressGroup(ip)}`
          : `user:${caller.user.id}`;
      try {
        setRateHeaders(response, policy, await limiter.consume(who));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        setRateHeaders(response, policy, refusal);
        throw new Problem('RATE_LIMITED', {
          retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
        });
      }
    },
  };
}
