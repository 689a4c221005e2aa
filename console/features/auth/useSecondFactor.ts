import { useMutation } from '@tanstack/react-query';
import type { CompleteSecondFactor } from '../../../generated/api/types.gen';
import { recordFeature } from '../../analytics';
import { isApiError } from '../../api/apiError';
import { completeSecondFactor } from '../../api/authSteps';
import { useProblem } from '../../api/useProblem';

/** What every second factor is given. */
export interface FactorProps {
  attemptsLeft: number;
  onSignedIn: () => Promise<void>;
  /** The server took one attempt away. */
  onRefused: () => void;
}

/** Sends a second factor. `make` may ask a device for it first. */
export function useSecondFactor<T>(
  make: (input: T) => CompleteSecondFactor | Promise<CompleteSecondFactor>,
  { onSignedIn, onRefused }: FactorProps,
) {
  const send = useMutation({
    mutationFn: async (input: T) => completeSecondFactor(await make(input)),
    meta: { signsIn: true },
    onSuccess: () => {
      recordFeature('signed_in');
      return onSignedIn();
    },
    onError: (error) => {
      if (isApiError(error, 401)) onRefused();
    },
  });
  const { problem, waitSeconds } = useProblem(send.error, 'You are not signed in');
  return {
    send,
    busy: send.isPending || send.isSuccess,
    /** The factor itself was wrong, to be said at its field. */
    refused: isApiError(send.error, 401),
    problem,
    waitSeconds,
  };
}

/** "2 attempts left." once they are few. */
export const attemptsText = (left: number): string =>
  left > 3 ? '' : left === 1 ? ' One attempt left.' : ` ${left} attempts left.`;
