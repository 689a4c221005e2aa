import { findUser } from '../../db/users';
import { Problem } from '../../domain/problem';
import { CONFIRMED_SECONDS } from '../../domain/stepUp';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { stepUpMethods } from './stepUpMethods';

export const getStepUp: Handler<'getStepUp'> = async ({ ctx }) => {
  const user = await findUser(ctx.db, personOf(ctx).id);
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
