// The certificate a guest shows, against its quote and its KMS (RA-TLS of dstack). It is what binds a connection to the
// CVM: the quote holds the hash of the certificate's key, and the KMS's root signed the chain.

import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../bytes';
import { verifyChain } from './chain';
import { DerError } from './der';
import { parsePemChain, PemError } from './pem';
import type { CheckState } from './types';
import type { Certificate } from './x509';

/** SubjectPublicKeyInfo of a P-256 key up to its point (RFC 5480 §2). */
const P256_SPKI = '3059301306072a8648ce3d020106082a8648ce3d030107034200';

/** DER, hex. */
const spkiOf = ({ publicKey }: Certificate): string => P256_SPKI + bytesToHex(publicKey);

/** What a guest asks its quote to hold for a certificate with this key (SPKI, hex): 64 bytes hex. */
export const certificateReportData = (spki: string): string =>
  bytesToHex(sha512(concatBytes(utf8('ratls-cert:'), hexToBytes(spki) ?? new Uint8Array(0))));

export interface ChainCheck {
  id: 'chain.path' | 'chain.root';
  title: string;
  state: CheckState;
  detail: string;
}

export interface ChainReport {
  checks: ChainCheck[];
  /** What the quote must hold to belong to the first certificate; undefined when that cannot be read. */
  report_data: string | undefined;
  /** SPKI (hex) of the last certificate's key. */
  root_key: string | undefined;
}

const PATH = { id: 'chain.path', title: 'Each certificate is signed by the next' } as const;
const ROOT = { id: 'chain.root', title: 'The last one is the root of the KMS' } as const;

/**
 * @param pem leaf first
 * @param key_provider_ids pinned root keys (SPKI, hex); none is something the reader has to be told
 */
export async function checkCertificates(
  pem: string,
  { now, key_provider_ids }: { now: number; key_provider_ids: readonly string[] },
): Promise<ChainReport> {
  let chain: Certificate[];
  try {
    chain = parsePemChain(pem);
  } catch (error) {
    if (!(error instanceof PemError || error instanceof DerError)) throw error;
    const detail = `The certificates cannot be read: ${error.message}.`;
    return {
      checks: [
        { ...PATH, state: 'failed', detail },
        { ...ROOT, state: 'skipped', detail: 'Not done, because the certificates cannot be read.' },
      ],
      report_data: undefined,
      root_key: undefined,
    };
  }
  const [leaf] = chain;
  const root = chain.at(-1);
  const report_data = leaf && certificateReportData(spkiOf(leaf));
  if (!root || chain.length < 2)
    return {
      checks: [
        {
          ...PATH,
          state: 'skipped',
          detail: 'The guest shows its own certificate only, without who signed it.',
        },
        { ...ROOT, state: 'skipped', detail: 'The root is not among the certificates.' },
      ],
      report_data,
      root_key: undefined,
    };
  const found = await verifyChain(chain, [root], now);
  const good = 'path' in found;
  const root_key = spkiOf(root);
  return {
    checks: [
      good
        ? {
            ...PATH,
            state: 'passed',
            detail: `${chain.length} certificates, all signed and within their dates.`,
          }
        : { ...PATH, state: 'failed', detail: `The chain is not good: ${found.fault}.` },
      rootCheck(root_key, key_provider_ids, good),
    ],
    report_data,
    root_key,
  };
}

function rootCheck(root_key: string, pinned: readonly string[], good: boolean): ChainCheck {
  if (!good) return { ...ROOT, state: 'skipped', detail: 'Not done, because the chain is not good.' };
  if (pinned.length === 0)
    return {
      ...ROOT,
      state: 'warning',
      detail: `No root key of the KMS is pinned, so there is nothing to compare ${root_key} with.`,
    };
  return pinned.some((one) => one.toLowerCase() === root_key)
    ? { ...ROOT, state: 'passed', detail: `Its key is the pinned root key of the KMS, ${root_key}.` }
    : { ...ROOT, state: 'failed', detail: `Its key ${root_key} is not the pinned root key of the KMS.` };
}
