import { useMutation } from '@tanstack/react-query';
import type { CompleteSecondFactor } from '../../../../generated/api/types.gen';
import { recordFeature } from '../../../analytics';
import { isApiError } from '../../../api/apiError';
import { completeSecondFactor } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';

/** Props of every second-factor form. */
export interface FactorProps {
  attemptsLeft: number;
  onSignedIn: () => Promise<void>;
  /** Called after a failed attempt. */
  onRefused: () => void;
}

/** Submits a second factor. `make` may run a device prompt first. */
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
  const { problem, waitSeconds } = useProblem(send.error, 'Couldn’t sign in');
  return {
    send,
    busy: send.isPending || send.isSuccess,
    /** The factor itself was wrong; the field shows the error. */
    refused: isApiError(send.error, 401),
    problem,
    waitSeconds,
  };
}

/** Returns " 2 attempts left." when three or fewer remain, else an empty string. */
export const attemptsText = (left: number): string =>
  left > 3 ? '' : left === 1 ? ' One attempt left.' : ` ${left} attempts left.`;
