import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes';
import {
  envDigest,
  newVaultKeys,
  openCopy,
  passkeyKey,
  passphraseKey,
  randomSalt,
  sealCopy,
  unwrapKeys,
  VaultError,
  wrapKeys,
} from './vault';

const OF = { app_id: '50'.repeat(20), env_digest: '3f'.repeat(32) };
const ENV = [
  { key: 'DATABASE_URL', value: 'postgres://u:p@db/app' },
  { key: 'GREETING', value: 'héllo "wörld"\nline2 $HOME 🔐' },
];
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error instanceof VaultError ? error.code : String(error);
  }
  return 'nothing thrown';
};

describe('locks', () => {
  it('derive the passphrase key with PBKDF2-HMAC-SHA-256 as in RFC 7914 §11', async () => {
    // RFC 7914's vector with 80,000 iterations: P = "Password", S = "NaCl"; the first 32 of 64 bytes.
    const key = await passphraseKey('Password', bytesToHex(new TextEncoder().encode('NaCl')), 80_000);
    expect(bytesToHex(key)).toBe('4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56');
  });

  it('open with the same passphrase in any Unicode form, and no other', async () => {
    const keys = newVaultKeys();
    const salt = randomSalt();
    const wrapped = wrapKeys(keys, await passphraseKey('crème brûlée at noon', salt, 1_000));
    const again = await passphraseKey('crème brûlée at noon'.normalize('NFD'), salt, 1_000);
    expect(unwrapKeys(keys.public_key, wrapped, again)).toEqual(keys);
    const other = await passphraseKey('creme brulee at noon', salt, 1_000);
    expect(codeOf(() => unwrapKeys(keys.public_key, wrapped, other))).toBe('wrong_key');
  });

  it('open only with the same passkey output and salt', async () => {
    const keys = newVaultKeys();
    const prf = crypto.getRandomValues(new Uint8Array(32));
    const salt = randomSalt();
    const wrapped = wrapKeys(keys, await passkeyKey(prf, salt));
    expect(unwrapKeys(keys.public_key, wrapped, await passkeyKey(prf, salt))).toEqual(keys);
    const elsewhere = await passkeyKey(prf, randomSalt());
    expect(codeOf(() => unwrapKeys(keys.public_key, wrapped, elsewhere))).toBe('wrong_key');
  });

  it('reject a replaced public key', async () => {
    const keys = newVaultKeys();
    const key = await passkeyKey(new Uint8Array(32).fill(7), randomSalt());
    const wrapped = wrapKeys(keys, key);
    expect(codeOf(() => unwrapKeys(newVaultKeys().public_key, wrapped, key))).toBe('wrong_key');
    // Wrapped again under a foreign public key by an attacker who knows the wrapping key.
    const forged = { ...keys, public_key: newVaultKeys().public_key };
    expect(codeOf(() => unwrapKeys(forged.public_key, wrapKeys(forged, key), key))).toBe('damaged');
  });
});

describe('copies', () => {
  it('round-trip', async () => {
    const keys = newVaultKeys();
    expect(await openCopy(await sealCopy(ENV, keys.public_key, OF), keys, OF)).toEqual(ENV);
    expect(await openCopy(await sealCopy([], keys.public_key, OF), keys, OF)).toEqual([]);
  });

  it('differ each time and contain no plaintext', async () => {
    const keys = newVaultKeys();
    const [one, two] = [await sealCopy(ENV, keys.public_key, OF), await sealCopy(ENV, keys.public_key, OF)];
    expect(one).not.toBe(two);
    expect(one).not.toContain(bytesToHex(new TextEncoder().encode('DATABASE_URL')));
  });

  it('open only for the same user, app and environment, unaltered', async () => {
    const keys = newVaultKeys();
    const copy = await sealCopy(ENV, keys.public_key, OF);
    await expect(openCopy(copy, newVaultKeys(), OF)).rejects.toThrow(VaultError);
    await expect(openCopy(copy, keys, { ...OF, app_id: '51'.repeat(20) })).rejects.toThrow(VaultError);
    await expect(openCopy(copy, keys, { ...OF, env_digest: '40'.repeat(32) })).rejects.toThrow(VaultError);
    const bytes = hexToBytes(copy)!;
    for (let at = 0; at < bytes.length; at += 3) {
      const changed = bytes.slice();
      changed[at]! ^= 1;
      await expect(openCopy(bytesToHex(changed), keys, OF), `byte ${at}`).rejects.toThrow(VaultError);
    }
    await expect(openCopy('01', keys, OF)).rejects.toThrow(VaultError);
  });

  it('are never encrypted to a low-order public key', async () => {
    await expect(sealCopy(ENV, '00'.repeat(32), OF)).rejects.toMatchObject({ code: 'low_order' });
  });

  it('are identified by the SHA-256 of the encrypted environment', async () => {
    expect(await envDigest('616263')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
