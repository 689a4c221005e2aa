import type { StepUp } from '../../../generated/api/types.gen';
import type { Tx } from '../../db/client';
import { confirmSession } from '../../db/signIn';
import type { UserRow } from '../../db/schema';
import { findUser } from '../../db/users';
import { verifyPassword } from '../../domain/password';
import { Problem } from '../../domain/problem';
import { personOf } from '../shared/caller';
import { countAttemptAt } from '../shared/guessing';
import { acceptTotp, judgePasskey } from '../shared/secondFactor';
import type { Context, Handler } from '../types';
import { stepUpMethods } from './stepUpMethods';

/** Counted apart from sign-ins: who hammers the sign-in of an account does not keep its person from confirming. */
export const stepUp: Handler<'stepUp'> = async ({ body, ctx }) => {
  const { session } = ctx.caller;
  const user = await findUser(ctx.db, personOf(ctx).id);
  if (!user || !session) throw new Problem('UNAUTHENTICATED');
  if (!(await stepUpMethods(ctx.db, user)).includes(body.method))
    throw new Problem('VALIDATION_FAILED', {
      message: 'This is not a way you can confirm by.',
      details: [{ field: 'method', message: 'Use one of those that getStepUp names.' }],
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
