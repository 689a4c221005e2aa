import type { CompleteSecondFactor } from '../../../generated/api/types.gen';
import { lockUser } from '../../db/accounts';
import type { Tx } from '../../db/client';
import { countPendingAttempt, deletePendingSignIn } from '../../db/pendingSignIns';
import type { UserRow } from '../../db/schema';
import { Problem } from '../../domain/problem';
import { countAttemptAt } from '../shared/guessing';
import { acceptRecoveryCode, acceptTotp, judgePasskey } from '../shared/secondFactor';
import { sessionView } from '../shared/session';
import { finishSignIn } from '../shared/signIn';
import type { Context, Handler } from '../types';
import { pendingOf, usedUp } from './pending';

/**
 * A sign-in has five attempts, and the account's codes are counted whichever sign-in they belong to: beginning again
 * gives nobody more guesses.
 */
export const completeSecondFactor: Handler<'completeSecondFactor'> = async ({ body, ctx }) => {
  const { pending, user } = await pendingOf(ctx);
  const kind = body.method === 'passkey' ? 'passkey' : 'code';
  const attempt = await countAttemptAt(ctx, kind, user.public_id);
  if (!(await countPendingAttempt(ctx.db, pending.id))) throw usedUp();
  const accept = await judge(ctx, user, body);
  const signed = await ctx.write(async ({ trx, audit }) => {
    // Held, so that who ends the person's sessions ends this one too, or finds the sign-in still waiting.
    await lockUser(trx, user.id);
    if (!(await accept(trx))) throw new Problem('WRONG_CODE');
    // Of two right answers side by side one finishes it.
    if (!(await deletePendingSignIn(trx, pending.token_hash))) throw new Problem('SIGN_IN_EXPIRED');
    const { auth_method: method, sso_connection_id } = pending;
    const result = await finishSignIn(ctx, trx, user, { method, sso_connection_id, second_factor: true });
    await audit({
      action: 'session.create',
      target_kind: 'user',
      target_id: user.public_id,
      actor_user_id: user.id,
      team_id: null,
      after: { method, second_factor: body.method },
    });
    return result;
  });
  await attempt.right();
  return {
    status: 201,
    body: await sessionView(ctx, user, { session: signed.session }),
    headers: { 'Set-Cookie': signed.cookies },
  };
};

/** What the answer is worth: run in the transaction, it also uses up what was shown. */
async function judge(
  ctx: Context,
  user: UserRow,
  { method, code = '', credential = {} }: CompleteSecondFactor,
): Promise<(trx: Tx) => Promise<boolean>> {
  if (method === 'totp') return (trx) => acceptTotp(ctx, trx, user.id, code);
  if (method === 'recovery_code') return (trx) => acceptRecoveryCode(ctx, trx, user, code);
  const shown = await judgePasskey(ctx, credential, { purpose: 'second_factor', user_id: user.id });
  return async (trx) => shown !== null && (await shown.use(trx));
}
