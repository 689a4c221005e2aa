import { cancelPendingSignIn } from './cancelPendingSignIn';
import { completeSecondFactor } from './completeSecondFactor';
import { createPasskeyChallenge } from './createPasskeyChallenge';
import { createPasskeySession } from './createPasskeySession';
import { createSecondFactorChallenge } from './createSecondFactorChallenge';
import { createSession } from './createSession';
import { createStepUpChallenge } from './createStepUpChallenge';
import { getPendingSignIn } from './getPendingSignIn';
import { getStepUp } from './getStepUp';
import { stepUp } from './stepUp';

export const signInHandlers = {
  cancelPendingSignIn,
  completeSecondFactor,
  createPasskeyChallenge,
  createPasskeySession,
  createSecondFactorChallenge,
  createSession,
  createStepUpChallenge,
  getPendingSignIn,
  getStepUp,
  stepUp,
};
