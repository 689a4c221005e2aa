import type { Choices, Expected } from './expected';
import { policyFrom } from './expected';
import { verifyInWorker } from './inWorker';
import { checkCertificates, type ChainReport } from './raTls';
import type { Evidence, Policy, Report } from './types';

/** A CVM's evidence as the API returns it, to its team or to the public. */
export interface EvidenceAnswer {
  trust: string;
  source: 'guest' | 'kept' | null;
  collected_at: string | null;
  evidence: Evidence | null;
  certificate_chain: string | null;
  expected: Expected;
}

export interface Verified {
  report: Report;
  chain: ChainReport | null;
  policy: Policy;
}

/** Verification time in Unix seconds: now for fresh evidence, its collection time for saved evidence. */
const clockOf = ({ source, collected_at }: EvidenceAnswer): number =>
  Math.floor((source === 'kept' && collected_at !== null ? Date.parse(collected_at) : Date.now()) / 1000);

/**
 * Verifies an answer in this browser.
 * @param kms_roots root keys pinned by the user (SPKI DER hex), which take precedence over the server's record
 */
export async function verifyAnswer(
  answer: EvidenceAnswer,
  choices: Choices,
  kms_roots?: readonly string[],
): Promise<Verified> {
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
  const report = await verifyInWorker(evidence, { now, policy });
  return { report, chain, policy };
}
