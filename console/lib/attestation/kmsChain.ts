import { checkCertificates } from './raTls';
import type { Run } from './run';

/** Certificates in the evidence must also chain to a pinned KMS root. */
export async function checkKmsChain({ checks, evidence, policy, now }: Run): Promise<void> {
  const { certificate_chain } = evidence;
  if (!policy.kms_roots || certificate_chain === undefined) return;
  const chain = await checkCertificates(certificate_chain, { now, key_provider_ids: policy.kms_roots });
  const failed = chain.checks.find(({ state }) => state === 'failed');
  if (failed)
    checks.fail(
      'kms.root',
      `The guest’s certificate chain does not end with a KMS root key you pinned. ${failed.detail}`,
    );
}
