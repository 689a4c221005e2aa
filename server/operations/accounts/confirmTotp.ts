import { acceptTotpStep, findTotp } from '../../db/accounts/totp';
import { Problem } from '../../domain/core/problem';
import { stepOfCode } from '../../domain/accounts/totp';
import { userOf } from '../core/caller';
import { countAttemptAt } from '../core/guessing';
import { TOTP_PURPOSE } from '../core/secondFactor';
import type { Handler } from '../types';
import { factorAdded, lockCaller } from './factorChange';

export const confirmTotp: Handler<'confirmTotp'> = async ({ body, ctx }) => {
  const user = userOf(ctx);
  const totp = await findTotp(ctx.db, user.id);
  if (!totp || totp.confirmed_at !== null)
    throw new Problem('SECOND_FACTOR_MISSING', { message: 'No authenticator app is being set up.' });
  const attempt = await countAttemptAt(ctx, 'confirm', user.public_id);
  const step = stepOfCode(ctx.seal.open(TOTP_PURPOSE, totp.sealed_secret), body.code);
  const codes = await ctx.write(async ({ trx, audit }) => {
    const user = await lockCaller(ctx, trx);
    if (step === null || !(await acceptTotpStep(trx, totp, step, { confirm: true })))
      throw new Problem('WRONG_CODE');
    const codes = await factorAdded(ctx, trx, user, { method: 'totp', name: null });
    await audit({
      action: 'totp.create',
      target_kind: 'user',
      target_id: user.public_id,
      team_id: null,
      after: { recovery_codes: codes?.length ?? 0 },
    });
    return codes;
  });
  await attempt.right();
  return { status: 200, body: { codes } };
};
