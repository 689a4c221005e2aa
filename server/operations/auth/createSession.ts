import { createHash } from 'node:crypto';
import { countAttempt, forgiveAttempt } from '../../db/signIn';
import { findUserByEmail } from '../../db/users';
import { addressGroup } from '../../domain/address';
import { verifyPassword } from '../../domain/password';
import { Problem } from '../../domain/problem';
import { normalEmail } from '../../domain/username';
import { openSession, sessionView } from '../shared/session';
import type { Context, Handler } from '../types';

export const createSession: Handler<'createSession'> = async ({ body, ctx }) => {
  const email = normalEmail(body.email);
  const keys = limitKeys(email, ctx.ip);
  await refuseGuessing(ctx, Object.values(keys));
  const user = await findUserByEmail(ctx.db, email);
  const usable = user?.state === 'active' ? user : null;
  if (!(await verifyPassword(usable?.password_hash ?? null, body.password)) || !usable)
    throw new Problem('INVALID_CREDENTIALS');
  await Promise.all([
    forgiveAttempt(ctx.db, keys.account, true),
    // Other people behind the same address may still be guessing.
    forgiveAttempt(ctx.db, keys.address, false),
  ]);
  const cookie = await ctx.write(async ({ trx, audit }) => {
    const cookie = await openSession(ctx, trx, usable.id);
    await audit({
      action: 'session.create',
      target_kind: 'user',
      target_id: usable.public_id,
      actor_user_id: usable.id,
      team_id: null,
    });
    return cookie;
  });
  return {
    status: 201,
    body: await sessionView(ctx, usable, { session: { second_factor_at: null } }),
    headers: { 'Set-Cookie': cookie },
  };
};

/** By account and by address, so that neither many guesses at one person nor one guess at many people come through. */
function limitKeys(email: string, ip: string) {
  const account = createHash('sha256').update(email).digest('base64url');
  return { account: `sign_in_account:${account}`, address: `sign_in_address:${addressGroup(ip)}` };
}

/** A window that ends by itself: it slows a guesser down and shuts nobody out for good. */
async function refuseGuessing(ctx: Context, keys: string[]): Promise<void> {
  const { attempts: allowed, windowSeconds } = ctx.config.signIn;
  const counts = await countAttempt(ctx.db, keys, windowSeconds);
  const over = counts.filter(({ attempts }) => attempts > allowed);
  if (over.length === 0) return;
  const wait = Math.ceil(Math.max(...over.map(({ endsInMs }) => endsInMs)) / 1000);
  throw new Problem('RATE_LIMITED', {
    message: `Too many failed sign-ins. Try again in ${Math.max(1, Math.ceil(wait / 60))} min.`,
    retryAfter: Math.max(1, wait),
  });
}
