import { describe, expect, it } from 'vitest';
import type { AppEnvPubkey, KmsContract } from '../../../../generated/api/types.gen';
import { recoverEnvKeySigner, signEnvKey } from '../../../lib/secrets/kmsKey';
import type { KmsPin } from '../../../lib/secrets/kmsPins';
import { checkedKey, DeployRefused, type KeyApi } from './sealing';

const SECRET = '1dfe1b4c72a28b9c8353f9280bcf5c1b4a287790e888c193aa37852d3eff7810';
const app_id = '00112233445566778899aabbccddeeff00112233';
const public_key = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f';

/** A fake server whose KMS signs with this root key. */
function server(secret: string): KeyApi & { root: string; asked: number } {
  const signature = signEnvKey({ public_key, app_id }, secret);
  const root = recoverEnvKeySigner({ public_key, app_id, signature });
  return {
    root,
    asked: 0,
    getKms: async () => ({ k256_pubkey: root }) as KmsContract,
    async getAppEnvPubkey() {
      this.asked += 1;
      return { public_key, signature } as AppEnvPubkey;
    },
  };
}
const pin = (key: string, kind: KmsPin['kind'] = 'env'): KmsPin => ({ kind, key, label: '', pinned_at: '' });
const refusal = (code: string) => expect.objectContaining({ code }) as DeployRefused;

describe('the key secrets are sealed to', () => {
  const honest = server(SECRET);
  const swapped = server('11'.repeat(32));

  it('comes from a KMS whose root key is pinned in this browser', async () => {
    const pins = [pin(swapped.root), pin(honest.root)];
    await expect(checkedKey(honest, 'main', app_id, null, pins)).resolves.toMatchObject({ public_key });
  });

  it('is refused if the server shows another KMS root under any name, and both keys are shown', async () => {
    for (const name of ['main', 'a-name-never-seen']) {
      const attempt = checkedKey(swapped, name, app_id, null, [pin(honest.root)]);
      await expect(attempt).rejects.toThrow(DeployRefused);
      await expect(attempt).rejects.toEqual(refusal('kms_root_not_pinned'));
      await expect(attempt).rejects.toThrow(swapped.root);
      await expect(attempt).rejects.toThrow(honest.root);
    }
    expect(swapped.asked).toBe(0);
  });

  describe('while the operator replaces the root key', () => {
    /** Signs with the new root key, and states both. */
    const changed = (stated: object): KeyApi => ({
      getKms: async () => ({
        k256_pubkey: swapped.root,
        valid_k256_pubkeys: [honest.root, swapped.root],
        ...stated,
      }),
      getAppEnvPubkey: (kms, id) => swapped.getAppEnvPubkey(kms, id),
    });

    it('may be signed by either, whichever was presented a moment ago', async () => {
      for (const k256_pubkey of [swapped.root, honest.root])
        await expect(checkedKey(changed({ k256_pubkey }), 'main', app_id, null, [])).resolves.toMatchObject({
          signer: swapped.root,
        });
      const both = [pin(honest.root), pin(swapped.root)];
      await expect(checkedKey(changed({}), 'main', app_id, null, both)).resolves.toBeTruthy();
    });

    it('is not trusted because the server announced it, only because the user pinned it', async () => {
      for (const k256_pubkey of [swapped.root, honest.root]) {
        const attempt = checkedKey(changed({ k256_pubkey }), 'main', app_id, null, [pin(honest.root)]);
        await expect(attempt).rejects.toEqual(refusal('kms_root_being_replaced'));
        await expect(attempt).rejects.toThrow(swapped.root);
      }
    });

    it('is refused as a change if no valid root key is pinned, or the statement contradicts itself', async () => {
      const third = pin('03'.padEnd(66, '0'));
      for (const [stated, pins] of [
        [{}, [third]],
        [{ valid_k256_pubkeys: [honest.root] }, [pin(honest.root)]],
        [{ valid_k256_pubkeys: undefined }, [pin(honest.root)]],
      ] as const)
        await expect(checkedKey(changed(stated), 'main', app_id, null, pins)).rejects.toEqual(
          refusal('kms_root_not_pinned'),
        );
      await expect(
        checkedKey(
          changed({ valid_k256_pubkeys: [honest.root], k256_pubkey: honest.root }),
          'main',
          app_id,
          null,
          [],
        ),
      ).rejects.toEqual(refusal('signer_mismatch'));
    });
  });

  it('is refused if the pins can’t be read', async () => {
    await expect(checkedKey(honest, 'main', app_id, null, null)).rejects.toEqual(
      refusal('kms_pins_unreadable'),
    );
  });

  it('comes from the KMS record if no environment root is pinned', async () => {
    await expect(checkedKey(honest, 'main', app_id, null, [])).resolves.toMatchObject({ public_key });
    await expect(checkedKey(honest, 'main', app_id, null, [pin('00', 'ca')])).resolves.toBeTruthy();
  });
});
