import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hashMessage, hexToBytes } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import type { AciReceipt } from '../../../console/lib/ai/aci';
import type { Seal } from '../core/seal';

/**
 * The proofs that clients requested before aci/1, in the form of vllm-proxy. Their keys differ from those of
 * aci/1, whose documents are the same with and without these.
 */
export const LEGACY_ALGOS = ['ecdsa', 'ed25519'] as const;
export type LegacyAlgo = (typeof LEGACY_ALGOS)[number];

export interface LegacySigner {
  /** Ethereum address of an ECDSA key; hex of an Ed25519 key. */
  address: string;
  public_key: string;
  sign(text: string): string;
}

/** DER of an Ed25519 private key, before its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * `current` signs. `all` also includes the other processes' signer during a rotation of the server's secret.
 */
export interface LegacySigners {
  current: LegacySigner;
  all: readonly LegacySigner[];
}

/**
 * Creates the signers. Their keys derive from the server's secret, so all processes of an installation have the
 * same ones.
 */
export function createLegacySigners(
  seal: Pick<Seal, 'sign' | 'accepted'>,
): Readonly<Record<LegacyAlgo, LegacySigners>> {
  const signersOf = (algo: LegacyAlgo, signerOf: (seed: Uint8Array) => LegacySigner): LegacySigners => {
    const ofMac = (mac: string) => signerOf(Buffer.from(mac, 'base64url'));
    return { current: ofMac(seal.sign('ai-legacy', algo)), all: seal.accepted('ai-legacy', algo).map(ofMac) };
  };
  return { ecdsa: signersOf('ecdsa', ecdsaSigner), ed25519: signersOf('ed25519', ed25519Signer) };
}

function ecdsaSigner(secret: Uint8Array): LegacySigner {
  const key = secp256k1.getPublicKey(secret, false);
  const public_key = Buffer.from(key).toString('hex');
  return {
    address: publicKeyToAddress(`0x${public_key}`),
    public_key,
    sign(text) {
      const hash = hexToBytes(hashMessage(text));
      const [recovery = 0, ...signature] = secp256k1.sign(hash, secret, {
        prehash: false,
        format: 'recovered',
      });
      return `0x${Buffer.from([...signature, 27 + recovery]).toString('hex')}`;
    },
  };
}

function ed25519Signer(seed: Uint8Array): LegacySigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const public_key = spki.subarray(-32).toString('hex');
  return {
    address: public_key,
    public_key,
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  };
}

/** Returns the text to sign for an answer: the hashes of request and response; null if the receipt has none. */
export function legacyText({ event_log }: Pick<AciReceipt, 'event_log'>): string | null {
  const hash = (type: string) =>
    event_log.find((event) => event.type === type)?.body_hash?.replace(/^sha256:/, '');
  const [request, response] = [hash('request.received'), hash('response.returned')];
  return request === undefined || response === undefined ? null : `${request}:${response}`;
}
