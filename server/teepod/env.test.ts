import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealEnv } from '../../console/lib/secrets/seal';
import { openEnvironment, redactor } from './env';

const secret = x25519.utils.randomSecretKey();
const publicKey = Buffer.from(x25519.getPublicKey(secret)).toString('hex');
const seal = (...env: [string, string][]) =>
  sealEnv(
    env.map(([key, value]) => ({ key, value })),
    publicKey,
  );
const open = (blob: string, allowed: string[], warnings: string[] = []) =>
  openEnvironment(blob, secret, allowed, (line) => warnings.push(line));

/** A client that doesn't validate what it encrypts. */
function sealAnything(plaintext: string): string {
  const ephemeral = x25519.utils.randomSecretKey();
  const iv = randomBytes(12);
  const sealed = gcm(x25519.getSharedSecret(ephemeral, Buffer.from(publicKey, 'hex')), iv).encrypt(
    Buffer.from(plaintext),
  );
  return Buffer.concat([x25519.getPublicKey(ephemeral), iv, sealed]).toString('hex');
}
const sealItems = (items: unknown) => sealAnything(JSON.stringify({ env: items }));

test('decrypts the first published vector', () => {
  const blob =
    'cec04422a32743fe2b1eb333f03687f70603dcf892d9cb41f2870b22a405b938000102030405060708090a0b18781092fb1849585466927b54858835c3a47d892a2457cb6f59dd838ca6bc20c2fe82dfef7c2c601060a097a805608633178db52e';
  const key = Buffer.from('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb', 'hex');
  expect([...openEnvironment(blob, key, ['FOO'], () => {})]).toEqual([['FOO', 'bar']]);
});

test('keeps the last value of each allowed name and warns about others without their values', () => {
  const warnings: string[] = [];
  const env = open(seal(['A', 'one'], ['B', 'hidden-value'], ['A', 'two']), ['A'], warnings);
  expect([...env]).toEqual([['A', 'two']]);
  expect(warnings.join()).toContain('B is not listed in allowed_envs');
  expect(warnings.join()).not.toContain('hidden-value');
  expect(open('', []).size).toBe(0);
  expect(open(seal(), []).size).toBe(0);
});

test.each(['PATH', 'HOME', 'LD_PRELOAD', 'DOCKER_HOST', 'COMPOSE_FILE', 'COMPOSE_PROJECT_NAME'])(
  'rejects the reserved name %s',
  (name) => {
    expect(() => open(seal([name, 'x']), [name])).toThrow(name);
    expect(open(seal([name, 'x']), []).size).toBe(0);
  },
);

test.each<[string, string]>([
  ['a key with a dash', sealItems([{ key: 'A-B', value: '' }])],
  ['a key with a digit first', sealItems([{ key: '1A', value: '' }])],
  ['a long key', sealItems([{ key: 'A'.repeat(256), value: '' }])],
  ['a long value', sealItems([{ key: 'A', value: 'x'.repeat(128 * 1024 + 1) }])],
  [
    'too many items',
    sealItems(Array.from({ length: 1025 }, (_, index) => ({ key: `A${index}`, value: '' }))),
  ],
  [
    'too large a blob',
    sealItems([
      { key: 'A', value: 'x'.repeat(100_000) },
      { key: 'B', value: 'x'.repeat(100_000) },
      { key: 'C', value: 'x'.repeat(100_000) },
    ]),
  ],
  ['a NUL', sealItems([{ key: 'A', value: 'x\0y' }])],
  ['a number as value', sealItems([{ key: 'A', value: 1 }])],
  ['no list', sealAnything('{"a":1}')],
  ['no JSON', sealAnything('A=B')],
  ['a zero ephemeral key', `${'00'.repeat(32)}${'11'.repeat(40)}`],
  ['too short a blob', '11'.repeat(43)],
  [
    'another recipient',
    sealEnv(
      [{ key: 'A', value: 'x' }],
      Buffer.from(x25519.getPublicKey(x25519.utils.randomSecretKey())).toString('hex'),
    ),
  ],
])('fails the boot on %s', (_, blob) => {
  expect(() => open(blob, ['A', 'B', 'C'])).toThrow();
});

test('rejects a ciphertext with any byte changed', () => {
  const blob = seal(['A', 'value']);
  for (const at of [0, 66, 90, blob.length - 2]) {
    const changed = blob.slice(0, at) + (blob.startsWith('00', at) ? '01' : '00') + blob.slice(at + 2);
    expect(() => open(changed, ['A'])).toThrow();
  }
});

test('redacts values from log text', () => {
  const redact = redactor(
    new Map([
      ['A', 'sesame'],
      ['B', 'sesame street'],
      ['C', 'x'],
    ]),
  );
  expect(redact('cannot mount sesame street: sesame')).toBe('cannot mount ***: ***');
});

test('omits a message too long to redact', () => {
  const redact = redactor(new Map([['S', 'secret']]));
  expect(redact('a secret')).toBe('a ***');
  expect(redact('secret'.repeat(10_000))).toBe('(message of 60000 characters omitted)');
});
