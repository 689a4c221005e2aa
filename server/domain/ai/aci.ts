import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { ACI_VERSION, keysetDigest, reportData, signedText, type Keyset } from '../../../console/lib/ai/aci';
import type { Seal } from '../core/seal';
import { E2EE_VERSION, e2eeKeys, type E2eeKey } from './e2ee/channel';

/**
 * Type of a receipt's event, with the hash of its bytes; or whether the model server's evidence was verified.
 */
export type ReceiptEvent =
  | { type: 'request.received' | 'request.forwarded' | 'response.returned'; body_hash: string }
  | { type: 'upstream.verified'; result: 'failed'; required: boolean; model_id: string; reason: string };

interface ReceiptFacts {
  receipt_id: string;
  chat_id: string;
  model: string;
  endpoint: string;
  served_at: Date;
  event_log: readonly ReceiptEvent[];
}

/** The gateway as a service of Attested Confidential Inference (aci/1). */
export interface Aci {
  digest(now?: Date): string;
  /** Keys to which clients may have encrypted. */
  readonly e2eeKeys: readonly E2eeKey[];
  /** @param nonce 64 hex digits, or null */
  report(nonce: string | null): Record<string, unknown>;
  receipt(facts: ReceiptFacts): Record<string, unknown>;
}

/** Purpose under which receipt-signing keys are derived. */
const SIGNING = 'receipt-1';
/** DER of an Ed25519 private key, before its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param mac 32 bytes as base64url */
function signingKey(mac: string) {
  const seed = Buffer.from(mac, 'base64url');
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const public_key = spki.subarray(-32).toString('hex');
  // Named after itself: during a secret rotation, the same key is one process's first and another's second.
  return { privateKey, public_key, key_id: `receipt-${public_key.slice(0, 16)}` };
}

/**
 * The built-in gateway serves aci/1 without a TEE: its receipts are signed and verifiable, and its report says
 * that nothing vouches for the keys. Keys derive from the server's secret, so all processes of an installation
 * have the same ones. During a rotation, the report lists the keys that any of them signs with.
 */
export function createAci(seal: Pick<Seal, 'sign' | 'accepted'>): Aci {
  const signer = signingKey(seal.sign('ai-receipts', SIGNING));
  const signing = seal.accepted('ai-receipts', SIGNING).map(signingKey);
  const e2ee = e2eeKeys(seal);

  /** Changes only with the month, so that a client can cache it, and expires in the month after next. */
  const keyset = (now: Date): Keyset => ({
    subject: null,
    not_after: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1) / 1000,
    receipt_signing_keys: signing.map(({ key_id, public_key }) => ({ key_id, algo: 'ed25519', public_key })),
    e2ee_public_keys: e2ee.published.map(({ key_id, suite, pair }) => ({
      key_id,
      algo: suite.algo,
      public_key: pair.public_key.toString('hex'),
    })),
    tls_public_keys: [],
  });
  let [digested, month] = ['', NaN];
  /** Included in every response. */
  const digest = (now = new Date()) => {
    const current = now.getUTCFullYear() * 12 + now.getUTCMonth();
    if (current !== month) [digested, month] = [keysetDigest(keyset(now)), current];
    return digested;
  };

  return {
    digest,
    e2eeKeys: e2ee.accepted,
    report(nonce) {
      const workload_keyset = keyset(new Date());
      const workload_keyset_digest = keysetDigest(workload_keyset);
      return {
        api_version: ACI_VERSION,
        workload_keyset_digest,
        attestation: {
          tee_type: 'none',
          workload_keyset,
          report_data: reportData(workload_keyset_digest, nonce),
          source_provenance: {
            repo_url: null,
            repo_commit: null,
            image_digest: null,
            image_provenance: null,
          },
          evidence: { note: 'This gateway is part of a server that does not run in a TEE.' },
        },
        service_capabilities: { supported_e2ee_versions: [E2EE_VERSION], serving: 'aggregator' },
      };
    },
    receipt({ served_at, ...facts }) {
      const receipt = {
        ...facts,
        api_version: ACI_VERSION,
        workload_keyset_digest: digest(),
        method: 'POST',
        served_at: Math.floor(served_at.getTime() / 1000),
        key_id: signer.key_id,
      };
      const signature = sign(null, Buffer.from(signedText(receipt)), signer.privateKey).toString('hex');
      return { ...receipt, signature };
    },
  };
}
