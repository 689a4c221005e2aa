import { Problem } from '../../domain/problem';
import type { Handler } from '../types';
import { freshRecoveryCodes, holdPerson, tell } from './factorChange';

export const createRecoveryCodes: Handler<'createRecoveryCodes'> = async ({ ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const user = await holdPerson(ctx, trx);
    if (user.second_factor_at === null)
      throw new Problem('SECOND_FACTOR_MISSING', {
        message: 'Recovery codes stand in for a second factor. Set one up first.',
      });
    const codes = await freshRecoveryCodes(ctx, trx, user);
    await tell(ctx, trx, user, 'second_factor_enabled', { method: 'recovery_codes', name: null });
    await audit({
      action: 'recovery_codes.create',
      target_kind: 'user',
      target_id: user.public_id,
      team_id: null,
      after: { codes: codes.length },
    });
    return { status: 201, body: { codes } } as const;
  });
