import type { OperationId } from '../../../generated/api/operations.gen';
import { problemCodes } from '../../../generated/api/permissions.gen';
import { countGuess, forgiveGuess } from '../../db/accounts/guesses';
import { guessLimits, type GuessKind } from '../../domain/accounts/guessLimits';
import { deviceCookieName, knownDevice } from '../../domain/accounts/knownDevice';
import { Problem } from '../../domain/core/problem';
import type { Context, Handler } from '../types';

export interface Attempt {
  /** Uncounts a correct guess and the account's earlier wrong ones. */
  right(): Promise<void>;
}

/**
 * Counts an attempt at a secret before it is checked. `account`: public id of the secret's owner, null if
 * unknown. Throws RATE_LIMITED with the remaining time. Don't call it inside a transaction: a rollback would
 * undo the count.
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
      // Other users behind the same IP address may still be guessing: only this attempt is uncounted there.
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
 * Wraps the handler of an operation that takes an emailed link: unknown links are counted per IP address,
 * across all these operations.
 */
export const countingLinks = <K extends OperationId>(handler: Handler<K>): Handler<K> =>
  counting({ kind: 'link', wrong: 'LINK_INVALID', account: () => null }, handler);

/** As `countingLinks`, for promotion codes: per IP address and per account. */
export const countingPromotionCodes = <K extends OperationId>(handler: Handler<K>): Handler<K> =>
  counting(
    {
      kind: 'promotion_code',
      wrong: 'PROMOTION_CODE_UNUSABLE',
      account: ({ caller }) => (caller.user ? String(caller.user.id) : null),
    },
    handler,
  );

interface Guessed {
  kind: GuessKind;
  /** The problem of a wrong guess. */
  wrong: keyof typeof problemCodes;
  account(ctx: Context): string | null;
}

const counting =
  <K extends OperationId>({ kind, wrong, account }: Guessed, handler: Handler<K>): Handler<K> =>
  async (call) => {
    const attempt = await countAttemptAt(call.ctx, kind, account(call.ctx));
    try {
      const reply = await handler(call);
      await attempt.right();
      return reply;
    } catch (error) {
      // Other errors in the request, such as a password that is too short, aren't guesses.
      if (!(error instanceof Problem && error.code === problemCodes[wrong])) await attempt.right();
      throw error;
    }
  };
