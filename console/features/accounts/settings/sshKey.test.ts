import { expect, test } from 'vitest';
import { commentOf, sshKeyFault } from './sshKey';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5X8c7tJ0k8h1bJrQm3m1o0xW4k4mYt2nq8s3g6l2uN alice@laptop';

test('names what was pasted by mistake', () => {
  expect(sshKeyFault(` ${KEY}\n`)).toBeNull();
  expect(sshKeyFault(KEY.replace(' alice@laptop', ''))).toBeNull();
  expect(sshKeyFault('-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\n')).toContain('private key');
  expect(sshKeyFault(`${KEY}\n${KEY}`)).toContain('one key at a time');
  expect(sshKeyFault('hello')).toContain('Not an OpenSSH public key');
});

test('suggests the comment as the name', () => {
  expect(commentOf(KEY)).toBe('alice@laptop');
  expect(commentOf('')).toBe('');
});
