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

/**
 * The evidence with its certificates. Quotes of guests come from their certificates, so an answer with a quote and
 * without certificates counts as one whose certificates can't be read.
 */
export function evidenceOf({ trust, evidence, certificate_chain }: EvidenceAnswer): Evidence {
  const found = evidence ?? { simulated: trust === 'simulated' };
  return {
    ...found,
    certificate_chain: certificate_chain ?? (found.quote === undefined ? undefined : ''),
  };
}

/** Verifies the downloads of an answer like the page does: stored evidence as of the time it was collected. */
export const attestCommand = ({
  name,
  source,
  collected_at,
}: Pick<EvidenceAnswer, 'source' | 'collected_at'> & { name: string }): string => {
  const at = source === 'kept' && collected_at !== null ? ` --at ${collected_at}` : '';
  return `npm run -s teehouse -- attest ${name}.evidence.json --policy ${name}.policy.json${at}`;
};

/** @param kms_roots root keys pinned by the user (SPKI DER hex), which take precedence over the server's record */
export async function questionOf(
  answer: EvidenceAnswer,
  choices: Choices,
  kms_roots?: readonly string[],
): Promise<Question> {
  const now = clockOf(answer);
  const key_provider_ids = kms_roots ?? answer.expected.key_provider_ids;
  const evidence = evidenceOf(answer);
  const chain =
    evidence.certificate_chain === undefined
      ? null
      : await checkCertificates(evidence.certificate_chain, { now, key_provider_ids });
  // A quote from a certificate must contain the hash of that certificate's key; without a certificate any report data
  // is accepted.
  const policy: Policy = {
    ...policyFrom(answer.expected, choices, evidence.quote ? chain?.report_data : undefined),
    kms_roots,
  };
  return { evidence, chain, now, policy };
}
