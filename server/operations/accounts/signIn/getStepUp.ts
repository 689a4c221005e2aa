import { findUser } from '../../../db/accounts/users';
import { Problem } from '../../../domain/core/problem';
import { CONFIRMED_SECONDS } from '../../../domain/accounts/stepUp';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { stepUpMethods } from './stepUpMethods';

export const getStepUp: Handler<'getStepUp'> = async ({ ctx }) => {
  const user = await findUser(ctx.db, userOf(ctx).id);
  if (!user) throw new Problem('UNAUTHENTICATED');
  const until = (ctx.caller.session?.confirmed_at.getTime() ?? 0) + CONFIRMED_SECONDS * 1000;
  return {
    status: 200,
    body: {
      methods: await stepUpMethods(ctx.db, user),
      confirmed_until: until > Date.now() ? new Date(until).toISOString() : null,
    },
  };
};
