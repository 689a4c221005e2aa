import { createHash, createPublicKey, verify } from 'node:crypto';
import { recoverMessageAddress, type Hex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { expect, it } from 'vitest';
import { createLegacySigners, legacyText } from './legacyProof';

const sign = (purpose: string, text: string) =>
  createHash('sha256').update(`${purpose} ${text}`).digest('base64url');
const signers = createLegacySigners({ sign, accepted: (...given) => [sign(...given)] });
const [ecdsa, ed25519] = [signers.ecdsa.current, signers.ed25519.current];
const TEXT = `${'ab'.repeat(32)}:${'cd'.repeat(32)}`;
/** DER before the 32 bytes of a public key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

it('an ECDSA signature comes from the signing address, as wallets check it', async () => {
  expect(publicKeyToAddress(`0x${ecdsa.public_key}`)).toBe(ecdsa.address);
  const signature = ecdsa.sign(TEXT) as Hex;
  expect(signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
  expect(await recoverMessageAddress({ message: TEXT, signature })).toBe(ecdsa.address);
  expect(await recoverMessageAddress({ message: `${TEXT} `, signature })).not.toBe(ecdsa.address);
});

it('an Ed25519 signature comes from the public key', () => {
  const der = Buffer.concat([SPKI, Buffer.from(ed25519.public_key, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const signature = Buffer.from(ed25519.sign(TEXT), 'hex');
  expect(verify(null, Buffer.from(TEXT), key, signature)).toBe(true);
  expect(verify(null, Buffer.from(`${TEXT} `), key, signature)).toBe(false);
});

it('the text has the hashes of the received and returned bytes', () => {
  const [request, response] = TEXT.split(':');
  const event_log = [
    { type: 'request.received', body_hash: `sha256:${request}` },
    { type: 'request.forwarded', body_hash: `sha256:${'ef'.repeat(32)}` },
    { type: 'response.returned', body_hash: `sha256:${response}` },
  ];
  expect(legacyText({ event_log })).toBe(TEXT);
  expect(legacyText({ event_log: event_log.slice(0, 2) })).toBeNull();
});
