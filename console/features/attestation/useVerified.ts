import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import type { Choices } from '../../lib/attestation/expected';
import { verifyAnswer } from '../../lib/attestation/verifyAnswer';
import { pinnedKeys } from '../../lib/secrets/kmsPins';
import { useKmsPins } from '../../ui/kmsPins/useKmsPins';

/**
 * Returns a key of everything a report depends on. Saved evidence keeps its time, whatever it is compared with: the
 * expected values are those of the live revision and today's catalog.
 */
export const verifiedKey = (
  answer: CvmEvidence | undefined,
  choices: Choices,
  kms_roots: readonly string[] | undefined,
) => [
  'verified',
  answer?.vm_uuid,
  answer?.source,
  answer?.collected_at,
  answer?.error,
  answer?.trust,
  answer?.expected,
  choices,
  kms_roots,
];

/**
 * Verifies in this browser when evidence or policy changes. Keeps the previous report until the new one is ready.
 */
export function useVerified(answer: CvmEvidence | undefined, chosen: Choices) {
  const choices = useDeferredValue(chosen);
  const { pins } = useKmsPins();
  // Pins that can't be read match nothing: an empty list fails the check instead of skipping it.
  const kms_roots = pins === null ? [] : pinnedKeys(pins, 'ca');
  return useQuery({
    queryKey: verifiedKey(answer, choices, kms_roots),
    queryFn: () => (answer ? verifyAnswer(answer, choices, kms_roots) : null),
    enabled: answer !== undefined,
    // A report never outlives its CVM.
    placeholderData: (before, query) => (query?.queryKey[1] === answer?.vm_uuid ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}
