import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { CvmEvidence } from '../../../../generated/api/types.gen';
import { type Choices, policyFrom } from '../../../lib/attestation/expected';
import { verifyInWorker } from '../../../lib/attestation/inWorker';
import { checkCertificates, type ChainReport } from '../../../lib/attestation/raTls';
import type { Policy, Report } from '../../../lib/attestation/types';

export interface Verified {
  report: Report;
  chain: ChainReport | null;
  policy: Policy;
}

/** Unix seconds: now for what the guest just gave, and then for what was kept of an earlier time. */
const clockOf = ({ source, collected_at }: CvmEvidence): number =>
  Math.floor((source === 'kept' && collected_at !== null ? Date.parse(collected_at) : Date.now()) / 1000);

async function verify(answer: CvmEvidence, choices: Choices): Promise<Verified> {
  const now = clockOf(answer);
  const { key_provider_ids } = answer.expected;
  const chain =
    answer.certificate_chain === null
      ? null
      : await checkCertificates(answer.certificate_chain, { now, key_provider_ids });
  // A quote out of a certificate must hold the hash of that certificate's key. Where there is none, any would do.
  const policy = policyFrom(
    answer.expected,
    choices,
    answer.evidence?.quote ? chain?.report_data : undefined,
  );
  const evidence = answer.evidence ?? { simulated: answer.trust === 'simulated' };
  const report = await verifyInWorker(evidence, { now, policy });
  return { report, chain, policy };
}

/** Verifies in this browser, again for each answer and each choice. While it does, the report before stays. */
export function useVerified(answer: CvmEvidence | undefined, chosen: Choices) {
  const choices = useDeferredValue(chosen);
  return useQuery({
    queryKey: ['verified', answer?.vm_uuid, answer?.source, answer?.collected_at, answer?.error, choices],
    queryFn: () => (answer ? verify(answer, choices) : null),
    enabled: answer !== undefined,
    // Of another CVM nothing may stay, not for a moment.
    placeholderData: (before, query) => (query?.queryKey[1] === answer?.vm_uuid ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}
