// Checks a guest's certificate against its quote and KMS (dstack's RA-TLS). It binds a connection to the CVM:
// the quote contains the hash of the certificate's key, and the KMS root signed the chain.

import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../bytes';
import { verifyChain } from './x509/chain';
import { DerError } from './x509/der';
import { P256 } from './x509/ecdsa';
import { P256_SPKI } from './x509/spki';
import { parsePemChain, PemError } from './x509/pem';
import type { CheckState } from './types';
import type { Certificate } from './x509/x509';
import { counted } from '../texts/count';

/** DER, hex. */
const spkiOf = ({ publicKey }: Certificate): string => P256_SPKI + bytesToHex(publicKey);

/** Returns the report data a guest requests for a certificate with this key (SPKI, hex): 64 bytes of hex. */
export const certificateReportData = (spki: string): string =>
  bytesToHex(sha512(concatBytes(utf8('ratls-cert:'), hexToBytes(spki) ?? new Uint8Array(0))));

interface ChainCheck {
  id: 'chain.path' | 'chain.root';
  title: string;
  state: CheckState;
  detail: string;
}

export interface ChainReport {
  /** The path, then the root. */
  checks: ChainCheck[];
  /** Report data required to match the first certificate; undefined if that can't be read. */
  report_data: string | undefined;
  /** SPKI (hex) of the last certificate's key. */
  root_key: string | undefined;
}

const PATH = { id: 'chain.path', title: 'Each certificate is signed by the next' } as const;
/** The guest's, the app's, the KMS root and one extra. */
const MAX_CERTIFICATES = 4;
/** The API's limit. A certificate contains the quote and the events of the app, which can be many. */
const MAX_CHARACTERS = 262_144;
const ROOT = { id: 'chain.root', title: 'The last certificate is the KMS root' } as const;

/**
 * @param pem leaf first
 * @param key_provider_ids pinned root keys (SPKI, hex); if empty, the report must say so
 */
export async function checkCertificates(
  pem: string,
  { now, key_provider_ids }: { now: number; key_provider_ids: readonly string[] },
): Promise<ChainReport> {
  let chain: Certificate[];
  try {
    chain = parsePemChain(pem, P256, MAX_CERTIFICATES, MAX_CHARACTERS);
  } catch (error) {
    if (!(error instanceof PemError || error instanceof DerError)) throw error;
    const detail = `The certificates cannot be read: ${error.message}.`;
    return {
      checks: [
        { ...PATH, state: 'failed', detail },
        { ...ROOT, state: 'skipped', detail: 'Skipped because the certificates cannot be read.' },
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
          detail: 'The guest returned only its own certificate, without the issuing chain.',
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
            detail: `${counted(chain.length, ['certificate', 'certificates'])}, all with valid signatures and dates.`,
          }
        : { ...PATH, state: 'failed', detail: `The chain is invalid: ${found.fault}.` },
      rootCheck(root_key, key_provider_ids, good),
    ],
    report_data,
    root_key,
  };
}

function rootCheck(root_key: string, pinned: readonly string[], good: boolean): ChainCheck {
  if (!good) return { ...ROOT, state: 'skipped', detail: 'Skipped because the chain is invalid.' };
  if (pinned.length === 0)
    return {
      ...ROOT,
      state: 'warning',
      detail: `Its key is ${root_key}; no KMS root key is pinned or on record to compare it with.`,
    };
  return pinned.some((one) => one.toLowerCase() === root_key)
    ? { ...ROOT, state: 'passed', detail: `Its key is the expected KMS root key, ${root_key}.` }
    : { ...ROOT, state: 'failed', detail: `Its key ${root_key} is not the expected KMS root key.` };
}
