import { DEFAULT_CHOICES, policyFrom, type Expected } from '../../../console/lib/attestation/expected';
import { checkCertificates } from '../../../console/lib/attestation/raTls';
import type { Evidence } from '../../../console/lib/attestation/types';
import { verifyEvidence } from '../../../console/lib/attestation/verify';

interface Given {
  evidence: Evidence;
  /** PEM. */
  certificate_chain: string | null;
}

interface Context {
  expected: Omit<Expected, 'os_images'>;
  /** Unix seconds. */
  now: number;
  /** PEM; Intel's root unless a test supplies its own. */
  roots?: readonly string[] | undefined;
}

/**
 * Returns the hash of the OS image that genuine hardware measured, or null unless the certificates lead to the recorded
 * KMS root and every check passes apart from whether the image is known.
 */
export async function measuredImageHash(
  { evidence, certificate_chain }: Given,
  { expected, now, roots }: Context,
): Promise<string | null> {
  if (certificate_chain === null) return null;
  const chain = await checkCertificates(certificate_chain, {
    now,
    key_provider_ids: expected.key_provider_ids,
  });
  // Only the KMS root proves that a KMS approved the OS. Without it, a host could make the certificates for an OS of its own.
  if (chain.report_data === undefined || chain.checks.some(({ state }) => state !== 'passed')) return null;
  const policy = policyFrom({ ...expected, os_images: [] }, DEFAULT_CHOICES, chain.report_data);
  const options = { now, ...(roots ? { roots } : {}) };
  const { facts } = await verifyEvidence(evidence, { ...options, policy });
  const hash = facts.os_image_hash;
  if (hash === undefined) return null;
  // Everything would pass if this image were known.
  const { state } = await verifyEvidence(evidence, {
    ...options,
    policy: { ...policy, os_image_hashes: [hash] },
  });
  return state === 'verified' || state === 'verified with exceptions' ? hash.toLowerCase() : null;
}
