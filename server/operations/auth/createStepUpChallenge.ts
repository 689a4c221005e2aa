import { personOf } from '../shared/caller';
import { challengeFor } from '../shared/passkeyChallenge';
import type { Handler } from '../types';

export const createStepUpChallenge: Handler<'createStepUpChallenge'> = async ({ ctx }) => ({
  status: 200,
  body: await challengeFor(ctx, personOf(ctx).id, 'step_up'),
});
