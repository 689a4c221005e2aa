import type { Choices, Expected } from './expected';
import { policyFrom } from './expected';
import { checkCertificates, type ChainReport } from './raTls';
import type { Evidence, Policy } from './types';

/** A CVM's evidence as the API returns it, to its team or to the public. */
export interface EvidenceAnswer {
  trust: string;
  source: 'guest' | 'kept' | null;
  collected_at: string | null;
  evidence: Evidence | null;
  certificate_chain: string | null;
  expected: Expected;
}

/** Input for `verifyEvidence`, built from an answer. */
export interface Question {
  evidence: Evidence;
  chain: ChainReport | null;
  /** Unix seconds: now for fresh evidence, its collection time for saved evidence. */
  now: number;
  policy: Policy;
}

const clockOf = ({ source, collected_at }: EvidenceAnswer): number =>
  Math.floor((source === 'kept' && collected_at !== null ? Date.parse(collected_at) : Date.now()) / 1000);

/** @param kms_roots root keys pinned by the user (SPKI DER hex), which take precedence over the server's record */
export async function questionOf(
  answer: EvidenceAnswer,
  choices: Choices,
  kms_roots?: readonly string[],
): Promise<Question> {
  const now = clockOf(answer);
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
  return { evidence, chain, now, policy };
}
