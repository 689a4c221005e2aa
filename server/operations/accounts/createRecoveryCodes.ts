import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';
import { freshRecoveryCodes, lockCaller, notifyUser } from './factorChange';

export const createRecoveryCodes: Handler<'createRecoveryCodes'> = async ({ ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const user = await lockCaller(ctx, trx);
    if (user.second_factor_at === null)
      throw new Problem('SECOND_FACTOR_MISSING', {
        message: 'Recovery codes replace a second factor. Set up a second factor first.',
      });
    const codes = await freshRecoveryCodes(ctx, trx, user);
    await notifyUser(ctx, trx, user, 'second_factor_enabled', { method: 'recovery_codes', name: null });
    await audit({
      action: 'recovery_codes.create',
      target_kind: 'user',
      target_id: user.public_id,
      team_id: null,
      after: { codes: codes.length },
    });
    return { status: 201, body: { codes } } as const;
  });
