import { secp256k1 } from '@noble/curves/secp256k1.js';
import { verifyEnvEncryptPublicKey } from '@phala/cloud';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes';
import { recoverEnvKeySigner, signEnvKey, verifyEnvKey } from './kmsKey';

const ROOT_PRIV = '1dfe1b4c72a28b9c8353f9280bcf5c1b4a287790e888c193aa37852d3eff7810';
const ROOT_PUB = '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538';
const LEGACY = {
  public_key: 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
  app_id: '00112233445566778899aabbccddeeff00112233',
  signature:
    '4f016f9f75186d7f73984300f53f008940fb48f1641a714b6b28372b514129556e20b1444d4de803b2e7528b9dcd1e7caf72171529197dd393a1aa141519939000',
};
const V1 = {
  ...LEGACY,
  timestamp: 1735689600,
  signature:
    '30d4136b38dd93d62ae1f7db36c344af9e85b55ad96b9f100e9c9ccac3c8bf4c1859ce37f85351dfc313aad83181a3d06eb9bf9c338b201e2f5d9863482032e400',
};
const code = (value: string) => expect.objectContaining({ code: value });
const pinned = { pinned_k256_pubkey: ROOT_PUB, now: V1.timestamp };

describe('signer recovery', () => {
  it('recovers the root key from both forms', () => {
    expect(recoverEnvKeySigner(LEGACY)).toBe(ROOT_PUB);
    expect(recoverEnvKeySigner(V1)).toBe(ROOT_PUB);
    expect(recoverEnvKeySigner({ ...V1, timestamp: 1735689600n })).toBe(ROOT_PUB);
  });

  it("recovers the signer of the SDK repository's vector", () => {
    expect(
      recoverEnvKeySigner({
        public_key: 'e33a1832c6562067ff8f844a61e51ad051f1180b66ec2551fb0251735f3ee90a',
        app_id: '00'.repeat(20),
        signature:
          '8542c49081fbf4e03f62034f13fbf70630bdf256a53032e38465a27c36fd6bed7a5e7111652004aef37f7fd92fbfc1285212c4ae6a6154203a48f5e16cad2cef00',
      }),
    ).toBe('0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f');
  });

  it('agrees with the published SDK on newly signed keys', () => {
    for (let i = 0; i < 20; i++) {
      const root = secp256k1.utils.randomSecretKey();
      const key = {
        public_key: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
        app_id: bytesToHex(crypto.getRandomValues(new Uint8Array(20))),
      };
      const signature = signEnvKey(key, bytesToHex(root));
      const theirs = verifyEnvEncryptPublicKey(
        hexToBytes(key.public_key)!,
        hexToBytes(signature)!,
        key.app_id,
      );
      expect(`0x${recoverEnvKeySigner({ ...key, signature })}`).toBe(theirs);
      expect(theirs).toBe(`0x${bytesToHex(secp256k1.getPublicKey(root))}`);
    }
  });

  it("reproduces the vectors' signatures byte for byte", () => {
    expect(signEnvKey(LEGACY, ROOT_PRIV)).toBe(LEGACY.signature);
    expect(signEnvKey(V1, ROOT_PRIV)).toBe(V1.signature);
  });

  it.each([
    ['27', '1b', 'signature_recovery_id'],
    ['28', '1c', 'signature_recovery_id'],
    ['2', '02', 'signature_recovery_id'],
  ])('rejects recovery ID %s', (_name, last, expected) => {
    const signature = LEGACY.signature.slice(0, -2) + last;
    expect(() => recoverEnvKeySigner({ ...LEGACY, signature })).toThrow(code(expected));
  });

  it.each([
    ['short signature', { signature: LEGACY.signature.slice(2) }, 'signature_invalid'],
    ['non-hex signature', { signature: 'zz'.repeat(65) }, 'signature_invalid'],
    ['zero signature', { signature: '00'.repeat(65) }, 'signature_invalid'],
    ['short key', { public_key: 'ab' }, 'public_key_invalid'],
    ['invalid app ID', { app_id: '1234' }, 'app_id_invalid'],
    ['app ID of odd length', { app_id: '1'.repeat(39) }, 'app_id_invalid'],
    ['negative time', { timestamp: -1 }, 'timestamp_invalid'],
    ['fractional time', { timestamp: 1.5 }, 'timestamp_invalid'],
  ])('rejects a %s', (_name, change, expected) => {
    expect(() => recoverEnvKeySigner({ ...LEGACY, ...change })).toThrow(code(expected));
  });
});

describe('verification against the pinned key', () => {
  it('accepts prefixes, upper case and the uncompressed pinned key', () => {
    const uncompressed = secp256k1.Point.fromHex(ROOT_PUB).toHex(false);
    for (const key of [ROOT_PUB, `0x${ROOT_PUB}`, `0x${ROOT_PUB.toUpperCase()}`, uncompressed]) {
      expect(verifyEnvKey({ ...LEGACY, pinned_k256_pubkey: key })).toBe(ROOT_PUB);
    }
    expect(verifyEnvKey({ ...V1, ...pinned, app_id: `0x${V1.app_id.toUpperCase()}` })).toBe(ROOT_PUB);
    expect(verifyEnvKey({ ...V1, ...pinned, app_id: `app_${V1.app_id}` })).toBe(ROOT_PUB);
  });

  it('never accepts a key, app, time or form the KMS did not sign', () => {
    const other = '11'.repeat(32);
    for (const input of [
      { ...LEGACY, public_key: other },
      { ...LEGACY, app_id: '11'.repeat(20) },
      { ...V1, timestamp: V1.timestamp + 1 },
      { ...V1, timestamp: undefined },
      { ...LEGACY, timestamp: V1.timestamp },
      { ...LEGACY, signature: signEnvKey(LEGACY, other) },
    ]) {
      expect(() => verifyEnvKey({ ...input, ...pinned })).toThrow(
        expect.objectContaining({ name: 'KmsKeyError' }),
      );
    }
    expect(() => verifyEnvKey({ ...LEGACY, signature: signEnvKey(LEGACY, other), ...pinned })).toThrow(
      code('signer_mismatch'),
    );
  });

  it('accepts either of two pinned keys, and no third one', () => {
    const other = '0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f';
    for (const pins of [
      [ROOT_PUB, other],
      [other, ROOT_PUB],
    ])
      expect(verifyEnvKey({ ...LEGACY, pinned_k256_pubkey: pins })).toBe(ROOT_PUB);
    expect(() => verifyEnvKey({ ...LEGACY, pinned_k256_pubkey: [other] })).toThrow(code('signer_mismatch'));
    expect(() => verifyEnvKey({ ...LEGACY, pinned_k256_pubkey: [] })).toThrow(code('signer_mismatch'));
  });

  it("limits the signature's age", () => {
    const at = (now: number, max_age_s?: number) => () =>
      verifyEnvKey({ ...V1, pinned_k256_pubkey: ROOT_PUB, now, max_age_s });
    expect(at(V1.timestamp + 300)()).toBe(ROOT_PUB);
    expect(at(V1.timestamp + 301)).toThrow(code('signature_too_old'));
    expect(at(V1.timestamp + 301, 600)()).toBe(ROOT_PUB);
    expect(at(V1.timestamp - 60)()).toBe(ROOT_PUB);
    expect(at(V1.timestamp - 61)).toThrow(code('signature_from_future'));
  });

  it.each(['', '0x', 'ab', '02' + 'ff'.repeat(32), 'zz'.repeat(33)])('rejects the pinned key %j', (key) => {
    expect(() => verifyEnvKey({ ...LEGACY, pinned_k256_pubkey: key })).toThrow(code('pinned_key_invalid'));
  });
});
