import { describe, expect, it } from 'vitest';
import { RESERVED_SLUGS } from '../../../console/lib/ids';
import { addressGroup } from '../core/address';
import { newUserCode, parseUserCode, requestedScopes } from './deviceCode';
import { hashPassword, verifyPassword } from './password';
import { slugCandidates } from '../teams/slugs';
import { normalEmail, usernameFor } from './username';
import { versionTuple } from '../core/versions';

describe('passwords', () => {
  it('are kept as Argon2id with 19 MiB, two passes, one lane', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hash, 'correct horse')).toBe(true);
    expect(await verifyPassword(hash, 'correct horsE')).toBe(false);
  });
  it('are the same whichever way the keyboard composes an accent', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true);
  });
  it("never match without an account, not even the decoy's password", async () => {
    expect(await verifyPassword(null, 'a password no account has')).toBe(false);
  });
});

describe('login codes', () => {
  it('contain no vowels or ambiguous letters', () => {
    for (let i = 0; i < 200; i++)
      expect(newUserCode()).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  });
  it('are recognized in any common spelling', () => {
    expect(parseUserCode(' bcdf ghjk')).toBe('BCDF-GHJK');
    expect(parseUserCode('BCDF-GHJ')).toBeNull();
    expect(parseUserCode('ABCD-EFGH')).toBeNull();
  });
  it('request known scopes, never all of them', () => {
    expect(requestedScopes('user:profile cvms:* nodes:*')).toEqual(['user:profile', 'cvms:*', 'nodes:*']);
    expect(requestedScopes('* session cvms:* cvms:* teapots:*')).toEqual(['cvms:*']);
    expect(requestedScopes(undefined)).toEqual(['user:profile', 'cvms:*', 'nodes:*']);
  });
});

it('names a user by the given name, otherwise by the address', () => {
  expect(usernameFor('alice@example.test')).toBe('alice');
  expect(usernameFor('alice@example.test', '  Alice \u202e\n Liddell ')).toBe('Alice Liddell');
  expect(usernameFor('alice@example.test', ' \u200b ')).toBe('alice');
  expect(usernameFor('alice@example.test', 'Zoë 👩‍💻\u200d')).toBe('Zoë 👩‍💻');
  expect(usernameFor('alice@example.test', 'W'.repeat(98) + '👩‍💻')).toBe('W'.repeat(98) + '👩');
  expect(normalEmail(' Alice@Example.TEST ')).toBe('alice@example.test');
});

it('proposes only valid team addresses', () => {
  for (const word of [...RESERVED_SLUGS, 'eliza', 'my-agent', 'Ünïted AI!', '42', '', 'x'.repeat(80)])
    for (const slug of slugCandidates(word, ['my-agent'])) {
      expect(slug, word).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
      expect(slug.length, word).toBeLessThanOrEqual(40);
      expect(RESERVED_SLUGS.has(slug) || slug === 'my-agent', slug).toBe(false);
    }
  expect([...slugCandidates('Alice', [])].slice(0, 3)).toEqual(['alice', 'alice-2', 'alice-3']);
});

it('counts one customer as one address', () => {
  expect(addressGroup('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(addressGroup('2001:db8:0:1::5')).toBe(addressGroup('2001:0db8::1:ffff:0:0:9'));
  expect(addressGroup('2001:db8:0:1::5')).not.toBe(addressGroup('2001:db8:0:2::5'));
  expect(addressGroup('::1')).toBe('0:0:0:0');
});

it('reads versions as three or four numbers', () => {
  expect(versionTuple('0.5.7')).toEqual([0, 5, 7]);
  expect(versionTuple('v0.5.4.1-rc2')).toEqual([0, 5, 4, 1]);
  expect(versionTuple('local')).toEqual([0, 0, 0]);
  expect(versionTuple('1.2')).toEqual([1, 2, 0]);
});
