// Attested Confidential Inference, version aci/1: a gateway's documents and their exact bytes. Server and browser
// both build them with this module.

import * as z from 'zod';
import { canonicalJson, sha256Hex } from '../compose/composeHash';

export const ACI_VERSION = 'aci/1';
const MAX_KEYS = 100;
const MAX_EVENTS = 1000;

const text = z.string().max(10_000);
const key = z.looseObject({ key_id: text, algo: text, public_key: text });
const keyset = z.looseObject({
  subject: text.nullable(),
  not_after: z.number().int(),
  receipt_signing_keys: z.array(key).max(MAX_KEYS),
  e2ee_public_keys: z.array(key).max(MAX_KEYS),
  tls_public_keys: z.array(z.looseObject({ spki_sha256: text })).max(MAX_KEYS),
});
export type Keyset = z.infer<typeof keyset>;

export const aciReport = z.looseObject({
  api_version: text,
  workload_keyset_digest: text,
  attestation: z.looseObject({ tee_type: text, workload_keyset: keyset, report_data: text }),
});

export const aciReceipt = z.looseObject({
  api_version: text,
  receipt_id: text,
  workload_keyset_digest: text,
  served_at: z.number().int(),
  event_log: z.array(z.looseObject({ type: text, body_hash: text.optional() })).max(MAX_EVENTS),
  key_id: text,
  signature: text,
});
export type AciReceipt = z.infer<typeof aciReceipt>;

/** Returns `sha256:` and lowercase hex, over the bytes on the wire. */
export const bodyHash = (bytes: Uint8Array): string => `sha256:${sha256Hex(bytes)}`;

export const keysetDigest = (given: unknown): string => `sha256:${sha256Hex(canonicalJson(given))}`;

/**
 * Returns the 32 bytes that a TEE's evidence binds, as hex: over keys and challenge. @param nonce 64 hex digits;
 * null for none
 */
export const reportData = (digest: string, nonce: string | null): string =>
  sha256Hex(
    `{"keyset_digest":"${digest}","nonce":${nonce === null ? 'null' : `"${nonce}"`},"purpose":"aci.report_data.v1"}`,
  );

export const NONCE = /^[0-9a-f]{64}$/;

/** Returns the text covered by a receipt's signature: the whole document without the signature. */
export function signedText(receipt: Record<string, unknown>): string {
  const { signature: _, ...rest } = receipt;
  return canonicalJson(rest);
}
