import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyEnvEncryptPublicKey } from '@phala/cloud';
import { deriveDhSecret, Kms, p256Pkcs8, signEnvKey } from './kms';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const ROOT_K256 = '1dfe1b4c72a28b9c8353f9280bcf5c1b4a287790e888c193aa37852d3eff7810';
const APP_ID = '00112233445566778899aabbccddeeff00112233';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'teepod-kms-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('derives the X25519 secret of dstack’s fixed vector', () => {
  const rootScalar = hex('f57527cea4ab7ffb49af99b158cdc0e3ec06398f528349ea236b7d2afe19cec1');
  const secret = deriveDhSecret(rootScalar, [Buffer.from('context one'), Buffer.from('context two')]);
  expect(Buffer.from(secret).toString('hex')).toBe(
    '663afd58820be8ad645f9c035e93199d114ab16f738db62393bc1d7d623e8813',
  );
});

test('encodes a P-256 key as PKCS#8 like the p256 crate', () => {
  expect(
    p256Pkcs8(hex('f57527cea4ab7ffb49af99b158cdc0e3ec06398f528349ea236b7d2afe19cec1')).toString('hex'),
  ).toBe(
    '308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420f57527cea4ab7ffb49af99b158cdc0e3ec06398f528349ea236b7d2afe19cec1a1440342000491f50522407ce29dce3ed7d31a15d80c1c42f13a23552d2b33a0ce09ee11e47bce95936f3e7f80d195f879e28e1b144ef37ac9ab8e36a690cbf930b775897b27',
  );
});

test('signs an environment key as in the fixed vectors, recovery id 0 or 1', () => {
  const publicKey = hex('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f');
  const reply = signEnvKey(hex(APP_ID), publicKey, 1_735_689_600, hex(ROOT_K256));
  expect(reply.signature).toBe(
    '4f016f9f75186d7f73984300f53f008940fb48f1641a714b6b28372b514129556e20b1444d4de803b2e7528b9dcd1e7caf72171529197dd393a1aa141519939000',
  );
  expect(reply.signature_v1).toBe(
    '30d4136b38dd93d62ae1f7db36c344af9e85b55ad96b9f100e9c9ccac3c8bf4c1859ce37f85351dfc313aad83181a3d06eb9bf9c338b201e2f5d9863482032e400',
  );
});

test('produces signatures that the published SDK recovers to the pinned key', async () => {
  const kms = await Kms.open(join(dir, 'a'));
  const reply = kms.envKey(APP_ID);
  const signer = await verifyEnvEncryptPublicKey(hex(reply.public_key), hex(reply.signature), APP_ID);
  expect(signer?.replace(/^0x/, '')).toBe(kms.k256PublicKey);

  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(reply.timestamp));
  const message = Buffer.concat([
    Buffer.from('dstack-env-encrypt-pubkey:'),
    hex(APP_ID),
    time,
    hex(reply.public_key),
  ]);
  const v1 = hex(reply.signature_v1);
  const recovered = secp256k1.recoverPublicKey(
    Buffer.concat([v1.subarray(64), v1.subarray(0, 64)]),
    keccak_256(message),
    { prehash: false },
  );
  expect(Buffer.from(recovered).toString('hex')).toBe(kms.k256PublicKey);
});

test('keeps root keys across restarts, readable only by their owner, and never replaces damaged ones', async () => {
  const first = await Kms.open(join(dir, 'b'));
  const again = await Kms.open(join(dir, 'b'));
  expect(again.k256PublicKey).toBe(first.k256PublicKey);
  expect(again.envKey(APP_ID).public_key).toBe(first.envKey(APP_ID).public_key);
  expect(first.envKey('11'.repeat(20)).public_key).not.toBe(first.envKey(APP_ID).public_key);
  const path = join(dir, 'b', 'root.json');
  expect((await stat(path)).mode & 0o077).toBe(0);
  await writeFile(path, '{}');
  await expect(Kms.open(join(dir, 'b'))).rejects.toThrow(/damaged/);
});
