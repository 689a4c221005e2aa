import { userOf } from '../../core/caller';
import { challengeFor } from '../../core/passkeyChallenge';
import type { Handler } from '../../types';

export const createStepUpChallenge: Handler<'createStepUpChallenge'> = async ({ ctx }) => ({
  status: 200,
  body: await challengeFor(ctx, userOf(ctx).id, 'step_up'),
});
