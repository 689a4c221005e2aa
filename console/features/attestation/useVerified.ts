import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import { type Choices, policyFrom } from '../../lib/attestation/expected';
import { verifyInWorker } from '../../lib/attestation/inWorker';
import { checkCertificates, type ChainReport } from '../../lib/attestation/raTls';
import type { Policy, Report } from '../../lib/attestation/types';
import { pinnedKeys } from '../../lib/secrets/kmsPins';
import { useKmsPins } from '../../ui/kmsPins/useKmsPins';

export interface Verified {
  report: Report;
  chain: ChainReport | null;
  policy: Policy;
}

/** Verification time in Unix seconds: now for fresh evidence, its collection time for saved evidence. */
const clockOf = ({ source, collected_at }: CvmEvidence): number =>
  Math.floor((source === 'kept' && collected_at !== null ? Date.parse(collected_at) : Date.now()) / 1000);

async function verify(
  answer: CvmEvidence,
  choices: Choices,
  kms_roots: readonly string[] | undefined,
): Promise<Verified> {
  const now = clockOf(answer);
  // Keys pinned by the user take precedence over the server's record.
  const key_provider_ids = kms_roots ?? answer.expected.key_provider_ids;
  const chain =
    answer.certificate_chain === null
      ? null
      : await checkCertificates(answer.certificate_chain, { now, key_provider_ids });
  // A quote from a certificate must contain the hash of that certificate's key; without a certificate any report data
  // is accepted.
  const policy: Policy = {
    ...policyFrom(answer.expected, choices, answer.evidence?.quote ? chain?.report_data : undefined),
    kms_roots,
  };
  const evidence = {
    ...(answer.evidence ?? { simulated: answer.trust === 'simulated' }),
    certificate_chain: answer.certificate_chain ?? undefined,
  };
  const report = await verifyInWorker(evidence, { now, policy });
  return { report, chain, policy };
}

/** Verifies in this browser whenever evidence or policy changes, keeping the previous report meanwhile. */
export function useVerified(answer: CvmEvidence | undefined, chosen: Choices) {
  const choices = useDeferredValue(chosen);
  const { pins } = useKmsPins();
  // Pins that can't be read match nothing: an empty list fails the check instead of skipping it.
  const kms_roots = pins === null ? [] : pinnedKeys(pins, 'ca');
  return useQuery({
    queryKey: [
      'verified',
      answer?.vm_uuid,
      answer?.source,
      answer?.collected_at,
      answer?.error,
      choices,
      kms_roots,
    ],
    queryFn: () => (answer ? verify(answer, choices, kms_roots) : null),
    enabled: answer !== undefined,
    // A report never outlives its CVM.
    placeholderData: (before, query) => (query?.queryKey[1] === answer?.vm_uuid ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}
