import { expect, test } from 'vitest';
import { commentOf, githubNameFault, importText, sourceOf, sshKeyFault } from './sshKey';

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

test('names where a key came from', () => {
  expect(sourceOf({ source: 'manual', key_metadata: null })).toBe('Manual');
  expect(sourceOf({ source: 'github', key_metadata: { github_username: 'alice' } })).toBe('GitHub (alice)');
  expect(sourceOf({ source: 'github', key_metadata: null })).toBe('GitHub');
});

test('accepts only the usernames that the API does', () => {
  expect(githubNameFault(' alice-2 ')).toBeNull();
  expect(githubNameFault(' ')).toBe('Enter a GitHub username.');
  for (const name of ['-alice', 'alice-', 'a--b', 'https://github.com/alice', 'a_b'])
    expect(githubNameFault(name), name).toContain('single hyphens');
});

test('says how many keys an import added and how many were there already', () => {
  const result = (keys_added: number, keys_skipped: number, errors: string[] = []) =>
    importText({ github_username: 'alice', keys_added, keys_skipped, errors });
  expect(result(2, 0)).toBe('Added 2 keys from alice.');
  expect(result(1, 3)).toBe('Added 1 key from alice. You already had 3.');
  expect(result(0, 1)).toBe('No keys were added. You already had 1.');
  expect(result(0, 0, ['Key 1 of alice: unsupported'])).toBe('No keys were added.');
  expect(result(0, 0)).toBe('alice has no public keys on GitHub.');
});
