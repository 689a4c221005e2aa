import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseSshKey, SshKeyError } from './sshKey';

const string = (value: Buffer | string) => {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const mpint = (bytes: Buffer) => string(bytes[0]! & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);

function rsa(bits: number): string {
  const jwk = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  const part = (text = '') => mpint(Buffer.from(text, 'base64url'));
  const blob = Buffer.concat([string('ssh-rsa'), part(jwk.e), part(jwk.n)]);
  return `ssh-rsa ${blob.toString('base64')} bob@laptop`;
}

function ecdsa(namedCurve: string, name: string): string {
  const jwk = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(jwk.x ?? '', 'base64url'),
    Buffer.from(jwk.y ?? '', 'base64url'),
  ]);
  const blob = Buffer.concat([string(`ecdsa-sha2-${name}`), string(name), string(point)]);
  return `ecdsa-sha2-${name} ${blob.toString('base64')}`;
}

// A key with the fingerprint that `ssh-keygen -l` prints: GitHub's published host key.
const GITHUB = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';

describe('an SSH public key', () => {
  it('is parsed with the fingerprint that ssh-keygen prints', () => {
    expect(parseSshKey(`${GITHUB}   git hub\n`)).toEqual({
      key_type: 'ssh-ed25519',
      public_key: `${GITHUB} git hub`,
      fingerprint: 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU',
    });
  });
  it('has a comment without characters that hide or reorder text, like a name', () => {
    const comment = 'bob\u202e\u200b  laptop\u0007 👩‍💻';
    expect(parseSshKey(`${GITHUB} ${comment}`).public_key).toBe(`${GITHUB} bob laptop 👩‍💻`);
    expect(parseSshKey(`${GITHUB} \u202e`).public_key).toBe(GITHUB);
    expect(parseSshKey(`${GITHUB} ${'👩‍💻'.repeat(200)}`).public_key.length).toBeLessThan(GITHUB.length + 302);
  });
  it('may be RSA with at least 2048 bits or ECDSA on the three supported curves', () => {
    expect(parseSshKey(rsa(2048)).key_type).toBe('ssh-rsa');
    expect(parseSshKey(ecdsa('P-256', 'nistp256')).key_type).toBe('ecdsa-sha2-nistp256');
    expect(parseSshKey(ecdsa('P-384', 'nistp384')).key_type).toBe('ecdsa-sha2-nistp384');
    expect(parseSshKey(ecdsa('P-521', 'nistp521')).key_type).toBe('ecdsa-sha2-nistp521');
  });

  const [, base64 = ''] = GITHUB.split(' ');
  it.each([
    ['a short RSA key', rsa(1024), '1024 bits'],
    [
      'a private key',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----',
      '.pub',
    ],
    ['a mismatched type', GITHUB.replace('ssh-ed25519', 'ssh-rsa'), "doesn't match the type"],
    ['an obsolete type', `ssh-dss ${base64}`, 'not supported'],
    ['a key with options', `command="/bin/sh" ${GITHUB}`, 'looks like'],
    ['two keys', `${GITHUB}\n${GITHUB}`, 'exactly one'],
    ['a truncated key', `ssh-ed25519 ${base64.slice(0, 40)}`, 'cut off'],
    [
      'a key with trailing bytes',
      `ssh-ed25519 ${Buffer.concat([Buffer.from(base64, 'base64'), string('x')]).toString('base64')}`,
      'cut off',
    ],
    ['nothing', ' \n', 'exactly one'],
    ['prose', 'my key? here', 'looks like'],
  ])('is rejected with a reason: %s', (_, text, reason) => {
    expect(() => parseSshKey(text)).toThrow(SshKeyError);
    expect(() => parseSshKey(text)).toThrow(reason);
    expect(() => parseSshKey(text)).not.toThrow('c2VjcmV0');
  });
});
