import { afterEach, expect, test, vi } from 'vitest';
import type { VaultLock } from '../../../generated/api/types.gen';
import { newVaultKeys, passkeyKey, randomSalt, wrapKeys, type VaultKeys } from '../../lib/secrets/vault';
import { hexToBytes } from '../../lib/bytes';
import { openWithPasskey } from './locks';

afterEach(() => void vi.unstubAllGlobals());

interface Asked {
  publicKey: {
    userVerification: string;
    allowCredentials: { id: ArrayBuffer }[];
    extensions: { prf: { eval?: { first: Uint8Array }; evalByCredential?: Record<string, unknown> } };
  };
}

/** A device with one passkey, whose PRF output is the salt. It ignores `evalByCredential`, as some do. */
function device(credential_id: string, { byCredential }: { byCredential: boolean }) {
  const asked: Asked[] = [];
  const get = async (options: Asked) => {
    asked.push(options);
    const { prf } = options.publicKey.extensions;
    const named = prf.evalByCredential?.[credential_id] as { first: Uint8Array } | undefined;
    const first = (byCredential ? named : undefined)?.first ?? prf.eval?.first;
    const empty = new ArrayBuffer(0);
    return {
      id: credential_id,
      rawId: empty,
      type: 'public-key',
      response: { authenticatorData: empty, clientDataJSON: empty, signature: empty },
      getClientExtensionResults: () => ({ prf: first ? { results: { first } } : {} }),
    };
  };
  vi.stubGlobal('PublicKeyCredential', function PublicKeyCredential() {});
  vi.stubGlobal('navigator', { credentials: { get } });
  // Opening a vault asks nothing of the server, which has no challenge for a passkey removed from the account.
  vi.stubGlobal('fetch', async () =>
    Response.json({ detail: 'This account has no passkey.' }, { status: 404 }),
  );
  return asked;
}

async function lockOf(keys: VaultKeys, credential_id: string): Promise<VaultLock> {
  const salt = randomSalt();
  const wrapped_key = wrapKeys(keys, await passkeyKey(hexToBytes(salt)!, salt));
  const created_at = '2026-11-30T00:00:00.000Z';
  return {
    id: 'lck_1',
    kind: 'passkey',
    name: 'Laptop',
    salt,
    iterations: null,
    credential_id,
    wrapped_key,
    created_at,
  };
}

test('a single passkey opens the vault on a device that ignores evalByCredential, after its removal from the account', async () => {
  const keys = newVaultKeys();
  const asked = device('AQIDBA', { byCredential: false });
  const lock = await lockOf(keys, 'AQIDBA');
  expect(await openWithPasskey(keys.public_key, [lock])).toEqual(keys);
  expect(asked[0]!.publicKey).toMatchObject({ userVerification: 'required' });
  expect(Object.keys(asked[0]!.publicKey.extensions.prf.evalByCredential ?? {})).toEqual(['AQIDBA']);
});

test('either of two passkeys opens the vault with its own salt', async () => {
  const keys = newVaultKeys();
  const asked = device('BQYHCA', { byCredential: true });
  const locks = [await lockOf(keys, 'AQIDBA'), await lockOf(keys, 'BQYHCA')];
  expect(await openWithPasskey(keys.public_key, locks)).toEqual(keys);
  expect(asked[0]!.publicKey.allowCredentials).toHaveLength(2);
  // One salt for both would be wrong for one of them.
  expect(asked[0]!.publicKey.extensions.prf.eval).toBeUndefined();
});
