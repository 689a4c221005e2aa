import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyEnvKey } from '../../../console/lib/secrets/kmsKey';
import { fakeKmsRoot } from '../vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../vmm/fake';
import { createKmsClients, kmsOptionsOf } from './clients';
import { KmsError } from './index';
import { createKmsDriver } from './rpc';

describe('a KMS', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'teehouse-kms-'));
  let host: FakeVmm;
  beforeAll(async () => {
    host = await startFakeVmm({ socketPath: path.join(dir, 'vmm.sock') });
  });
  afterAll(async () => {
    await host.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('behind the local teepod returns its root key and signed environment keys', async () => {
    const kms = createKmsDriver({ url: `${host.url}:/kms` });
    expect((await kms.getMeta()).k256_pubkey).toBe(fakeKmsRoot.k256_pubkey);
    const app_id = randomBytes(20).toString('hex');
    const { public_key, timestamp, signature_v1 } = await kms.getAppEnvEncryptPubKey(
      `0x${app_id.toUpperCase()}`,
    );
    const pinned_k256_pubkey = fakeKmsRoot.k256_pubkey;
    expect(verifyEnvKey({ public_key, app_id, timestamp, signature: signature_v1, pinned_k256_pubkey })).toBe(
      pinned_k256_pubkey,
    );
    await kms.close();
  });

  it('rejects invalid app IDs, and its malformed keys are rejected', async () => {
    const kms = createKmsDriver({ url: `${host.url}:/kms` });
    await expect(kms.getAppEnvEncryptPubKey('abc')).rejects.toMatchObject({ kind: 'rejected' });
    host.on('/kms/prpc/GetAppEnvEncryptPubKey', (_, response) =>
      response.end(JSON.stringify({ public_key: '00', signature: '', timestamp: 0 })),
    );
    const error = await kms.getAppEnvEncryptPubKey('00'.repeat(20)).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(KmsError);
    expect(error).toMatchObject({ kind: 'bad_reply' });
    host.on('/kms/prpc/GetMeta', (_, response) => response.end('{"k256_pubkey":""}'));
    await expect(kms.getMeta()).rejects.toMatchObject({ kind: 'bad_reply' });
    await kms.close();
  });

  it("is cached per row, and its self-signed certificate isn't checked", async () => {
    const clients = createKmsClients(createKmsDriver);
    const row = { id: 1, url: 'https://kms.example:8000' };
    expect(clients.get(row)).toBe(clients.get({ ...row }));
    expect(clients.get({ ...row, url: 'https://other.example' })).not.toBe(clients.get(row));
    expect(() => clients.get({ id: 2, url: 'nonsense' })).toThrow(KmsError);
    expect(kmsOptionsOf(row).tls?.insecure).toBe(true);
    await clients.close();
  });
});
