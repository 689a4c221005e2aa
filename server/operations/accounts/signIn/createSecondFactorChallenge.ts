import { challengeFor } from '../../core/passkeyChallenge';
import type { Handler } from '../../types';
import { pendingOf } from './pending';

export const createSecondFactorChallenge: Handler<'createSecondFactorChallenge'> = async ({ ctx }) => {
  const { user } = await pendingOf(ctx);
  return { status: 200, body: await challengeFor(ctx, user.id, 'second_factor') };
};
