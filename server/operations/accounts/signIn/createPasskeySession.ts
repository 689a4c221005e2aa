import { findUser } from '../../../db/accounts/users';
import { Problem } from '../../../domain/core/problem';
import { countAttemptAt } from '../../core/guessing';
import { judgePasskey, meansUser } from '../../core/secondFactor';
import { sessionView } from '../../core/session';
import { completeSignIn } from '../../core/signIn';
import type { Handler } from '../../types';

/** Keys can't be guessed. Attempts are still counted by IP address because each costs a signature check. */
export const createPasskeySession: Handler<'createPasskeySession'> = async ({ body, ctx }) => {
  const attempt = await countAttemptAt(ctx, 'passkey', null);
  const shown = await judgePasskey(ctx, body.credential, { purpose: 'sign_in', user_id: null });
  const user = shown && (await findUser(ctx.db, shown.passkey.user_id));
  if (!shown || !user || !meansUser(body.credential, user)) throw refused();
  const signed = await ctx.write(async ({ trx, audit }) => {
    if (!(await shown.use(trx))) throw refused();
    const result = await completeSignIn(ctx, trx, { user_id: user.id, method: 'passkey' });
    await audit({
      action: 'session.create',
      target_kind: 'user',
      target_id: user.public_id,
      actor_kind: 'user',
      actor_user_id: user.id,
      team_id: null,
      after: { method: 'passkey', passkey: shown.passkey.public_id },
    });
    return result;
  });
  if (signed.status !== 'signed_in') throw new Error('a passkey is both factors');
  await attempt.right();
  return {
    status: 201,
    body: await sessionView(ctx, user, { session: signed.session }),
    headers: { 'Set-Cookie': signed.cookies },
  };
};

const refused = () =>
  new Problem('INVALID_CREDENTIALS', {
    message: 'Unknown passkey, or its response was invalid.',
  });
