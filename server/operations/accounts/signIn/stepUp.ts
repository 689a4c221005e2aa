import type { StepUp } from '../../../../generated/api/types.gen';
import type { Tx } from '../../../db/core/client';
import { confirmSession } from '../../../db/accounts/signIn';
import type { UserRow } from '../../../db/accounts/usersTable';
import { findUser } from '../../../db/accounts/users';
import { verifyPassword } from '../../../domain/accounts/password';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import { countAttemptAt } from '../../core/guessing';
import { acceptTotp, judgePasskey } from '../../core/secondFactor';
import type { Context, Handler } from '../../types';
import { stepUpMethods } from './stepUpMethods';

/**
 * Counted separately from sign-ins, so that attacks on the account's sign-in don't keep its user from
 * confirming.
 */
export const stepUp: Handler<'stepUp'> = async ({ body, ctx }) => {
  const { session } = ctx.caller;
  const user = await findUser(ctx.db, userOf(ctx).id);
  if (!user || !session) throw new Problem('UNAUTHENTICATED');
  if (!(await stepUpMethods(ctx.db, user)).includes(body.method))
    throw new Problem('VALIDATION_FAILED', {
      message: "This method isn't available to you.",
      details: [{ field: 'method', message: 'Use a method returned by getStepUp.' }],
    });
  const attempt = await countAttemptAt(ctx, 'confirm', user.public_id);
  const accept = await judge(ctx, user, body);
  await ctx.write(async ({ trx, audit }) => {
    if (!(await accept(trx)))
      throw body.method === 'password'
        ? new Problem('INVALID_CREDENTIALS', { message: 'The password is wrong.' })
        : new Problem('WRONG_CODE');
    await confirmSession(trx, session.id, { second_factor: body.method !== 'password' });
    await audit({
      action: 'session.confirm',
      target_kind: 'session',
      target_id: session.public_id,
      team_id: null,
      after: { method: body.method },
    });
  });
  await attempt.right();
  return { status: 204 };
};

async function judge(
  ctx: Context,
  user: UserRow,
  { method, secret = '', credential = {} }: StepUp,
): Promise<(trx: Tx) => Promise<boolean>> {
  if (method === 'totp') return (trx) => acceptTotp(ctx, trx, user.id, secret);
  if (method === 'password') {
    const right = await verifyPassword(user.password_hash, secret);
    return async () => right;
  }
  const shown = await judgePasskey(ctx, credential, { purpose: 'step_up', user_id: user.id });
  return async (trx) => shown !== null && (await shown.use(trx));
}
