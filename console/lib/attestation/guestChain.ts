import { bytesToHex } from '../bytes';
import type { Quote } from './quote';
import { type ChainReport, checkCertificates } from './raTls';
import type { Run } from './run';
import { P256_SPKI } from './x509/spki';

/** Sealing providers have measurements instead of keys, and issue no certificates. */
const isKey = (id: string): boolean => id.toLowerCase().startsWith(P256_SPKI);

/** Reads the evidence's certificates; null if it has no field for them. */
export async function readGuestChain({ evidence, policy, now }: Run): Promise<ChainReport | null> {
  if (evidence.certificate_chain === undefined) return null;
  const { kms_roots, key_provider_ids = [] } = policy;
  return checkCertificates(evidence.certificate_chain, {
    now,
    key_provider_ids: kms_roots ?? key_provider_ids.filter(isKey),
  });
}

/**
 * Certificates in the evidence must be valid and lead to a pinned KMS root, or else to the one on record. Otherwise a
 * host could put a genuine quote into a certificate of its own.
 */
export function checkGuestChain(
  { checks, evidence, policy }: Run,
  chain: ChainReport,
  quote: Pick<Quote, 'reportData'> | null,
): void {
  const { certificate_chain = '', simulated } = evidence;
  const fault = faultOf(chain, certificate_chain);
  if (policy.kms_roots && fault !== undefined)
    checks.fail(
      'kms.root',
      `The guest’s certificate chain does not end with a KMS root key you pinned. ${fault}`,
    );
  if (evidence.quote === undefined || simulated === true) return;
  const [path, root] = chain.checks;
  if (fault !== undefined) checks.fail('certificates', fault);
  else if (quote && chain.report_data !== bytesToHex(quote.reportData))
    checks.fail(
      'certificates',
      'The quote does not belong to the first certificate: its report_data covers a different key.',
    );
  else if (path?.state === 'skipped') checks.skip('certificates', path.detail);
  else
    checks.pass(
      'certificates',
      `${path?.detail} ${
        root?.state === 'passed'
          ? 'The key of the last one is the expected KMS root key.'
          : 'No KMS root key is pinned or on record to compare the last one with.'
      }`,
    );
}

function faultOf({ checks }: ChainReport, pem: string): string | undefined {
  if (pem === '') return 'The quote came from a certificate that the evidence doesn’t include.';
  const failed = checks.find(({ state }) => state === 'failed');
  return failed?.id === 'chain.root'
    ? `The last certificate belongs to a different KMS. ${failed.detail}`
    : failed?.detail;
}
