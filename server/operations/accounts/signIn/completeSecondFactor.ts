import type { CompleteSecondFactor } from '../../../../generated/api/types.gen';
import { lockUser } from '../../../db/accounts/accounts';
import type { Tx } from '../../../db/core/client';
import { countPendingAttempt, deletePendingSignIn } from '../../../db/accounts/pendingSignIns';
import type { UserRow } from '../../../db/accounts/usersTable';
import { Problem } from '../../../domain/core/problem';
import { countAttemptAt } from '../../core/guessing';
import { acceptRecoveryCode, acceptTotp, judgePasskey } from '../../core/secondFactor';
import { sessionView } from '../../core/session';
import { finishSignIn } from '../../core/signIn';
import type { Context, Handler } from '../../types';
import { pendingOf, usedUp } from './pending';

/**
 * A sign-in has five attempts. Codes are also counted per account across sign-ins, so starting over gives no
 * extra guesses.
 */
export const completeSecondFactor: Handler<'completeSecondFactor'> = async ({ body, ctx }) => {
  const { pending, user } = await pendingOf(ctx);
  const kind = body.method === 'passkey' ? 'passkey' : 'code';
  const attempt = await countAttemptAt(ctx, kind, user.public_id);
  if (!(await countPendingAttempt(ctx.db, pending.id))) throw usedUp();
  const accept = await judge(ctx, user, body);
  const signed = await ctx.write(async ({ trx, audit }) => {
    // Locked, so that ending the user's sessions also ends this one or still finds the pending sign-in.
    await lockUser(trx, user.id);
    if (!(await accept(trx))) throw new Problem('WRONG_CODE');
    // Of two concurrent correct answers, only one completes the sign-in.
    if (!(await deletePendingSignIn(trx, pending.token_hash))) throw new Problem('SIGN_IN_EXPIRED');
    const { auth_method: method, sso_connection_id } = pending;
    const result = await finishSignIn(ctx, trx, user, { method, sso_connection_id, second_factor: true });
    await audit({
      action: 'session.create',
      target_kind: 'user',
      target_id: user.public_id,
      actor_kind: 'user',
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

/** Checks the answer. When run inside the transaction, it also uses up what was presented. */
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
