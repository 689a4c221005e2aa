import type { OperationId } from '../../../generated/api/operations.gen';
import { problemCodes } from '../../../generated/api/permissions.gen';
import { countGuess, forgiveGuess } from '../../db/guesses';
import { guessLimits, type GuessKind } from '../../domain/guessing';
import { deviceCookieName, knownDevice } from '../../domain/knownDevice';
import { Problem } from '../../domain/problem';
import type { Context, Handler } from '../types';

export interface Attempt {
  /** The guess was right: it does not count, nor do the wrong ones before it under the same account. */
  right(): Promise<void>;
}

/**
 * Counts an attempt at a secret before it is judged. `account`: public id of whose secret it is, null when that is not
 * known. Throws RATE_LIMITED with the time that is left. Not inside a transaction: what is rolled back is not counted.
 */
export async function countAttemptAt(
  ctx: Context,
  kind: GuessKind,
  account: string | null,
): Promise<Attempt> {
  const { attempts, windowSeconds } = ctx.config.signIn;
  const cookie = ctx.cookie(deviceCookieName(ctx.config.publicUrl));
  const device = account === null ? null : knownDevice(ctx.seal, cookie, account);
  const limits = guessLimits(kind, { account, ip: ctx.ip, device }, attempts);
  for (const limit of limits) {
    const { judged, endsInMs } = await countGuess(ctx.db, limit, windowSeconds);
    if (!judged) throw tooMany(endsInMs);
  }
  return {
    right: async () => {
      // Other people behind the same address may still be guessing: there only this attempt is taken back.
      for (const { key } of limits) await forgiveGuess(ctx.db, key, !key.startsWith(`${kind}:address:`));
    },
  };
}

function tooMany(ms: number): Problem {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const wait = seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new Problem('RATE_LIMITED', {
    message: `Too many failed attempts. Try again in ${wait}.`,
    retryAfter: seconds,
  });
}

/**
 * The handler of an operation that takes a mailed link: links that do not exist are counted by address, whichever of
 * the operations they are brought to.
 */
export const countingLinks =
  <K extends OperationId>(handler: Handler<K>): Handler<K> =>
  async (call) => {
    const attempt = await countAttemptAt(call.ctx, 'link', null);
    try {
      const reply = await handler(call);
      await attempt.right();
      return reply;
    } catch (error) {
      // What else is wrong with the request (a password that is too short) is no guess at a link.
      if (!(error instanceof Problem && error.code === problemCodes.LINK_INVALID)) await attempt.right();
      throw error;
    }
  };
