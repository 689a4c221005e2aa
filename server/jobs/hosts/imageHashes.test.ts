import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockCollateral } from '../../../console/lib/attestation/testing/mockEvidence';
import { createMockPki, type MockPki } from '../../../console/lib/attestation/testing/mockPki';
import type { AdminOsImage, CvmEvidence } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { syncImages } from '../../db/hosts/hosts';
import { troublesOf } from '../../db/platform/alertTroubles';
import { createCollateralDriver } from '../../drivers/collateral/pcs';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { identityOf, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { runningCvm } from '../../testing/hostedCvm';
import { startFakePccs, type FakePccs } from '../../testing/pccs';
import { raTlsGuest, type GuestEdits, type RaTlsGuest } from '../../testing/raTlsGuest';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { learnImageHashes } from './learnImageHashes';
import { everyHost } from './testing/everyHost';

/** Ways in which an OS image's hash becomes known. */
let server: TestServer;
let vmm: FakeVmm;
let pccs: FakePccs;
let pki: MockPki;
let admin: TestClient;
let host: TestHost;
let cvm: CvmRow;
let guest: RaTlsGuest;
let image_id: number;

beforeAll(async () => {
  pki = await createMockPki(Math.floor(Date.now() / 1000));
  vmm = await startFakeVmm();
  pccs = await startFakePccs(await mockCollateral(pki));
  server = await startTestServer({ env: { PCCS_URL: pccs.url, TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  admin = await server.register();
  host = await insertHost(db, { name: 'tdx-1', url: vmm.url, kind: 'dstack_vmm' });
  const who = await identityOf(db, admin.email!);
  ({ cvm } = await runningCvm(server.services, { host, ...who, name: 'proving' }));
  ({ id: image_id } = await db
    .updateTable('os_images')
    .set({ os_image_hash: null, os_image_hash_source: null })
    .where('name', '=', cvm.os_image)
    .returning('id')
    .executeTakeFirstOrThrow());
  vmm.on('/guest/Info', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(guest.info)),
  );
});
afterAll(async () => {
  await server?.stop();
  await pccs?.close();
  await vmm?.close();
});

/** Lets the worker check a guest. */
async function learnFrom(edits: GuestEdits, roots = [pki.rootPem], root_key?: null): Promise<void> {
  const { db } = server.services;
  guest = await raTlsGuest(pki, edits);
  const { compose_hash, app_compose, app_id, instance_id } = guest;
  const ca_pubkey = root_key === null ? null : guest.ca_pubkey;
  await db
    .updateTable('revisions')
    .set({ compose_hash, app_compose })
    .where('id', '=', cvm.revision_id)
    .execute();
  await db.updateTable('apps').set({ app_id }).where('id', '=', cvm.app_id).execute();
  await db.updateTable('cvms').set({ instance_id }).where('id', '=', cvm.id).execute();
  await db.updateTable('kms').set({ ca_pubkey }).where('id', '=', host.kms.id).execute();
  const collateral = createCollateralDriver({ url: pccs.url });
  const { log, vmm: registry } = server.services;
  await learnImageHashes({ db, log, collateral, vmm: registry, hosts: everyHost }, roots);
  await collateral.close();
}
const known = async () => {
  const { body } = await admin.call('getAdminOsImage', { path: { id: image_id } });
  const { os_image_hash, os_image_hash_source } = body as AdminOsImage;
  return { os_image_hash, os_image_hash_source };
};
const enter = (os_image_hash: string | null) =>
  admin.call('updateAdminOsImage', { path: { id: image_id }, body: { os_image_hash } });
const UNKNOWN = { os_image_hash: null, os_image_hash_source: null };

it('is not learned from a quote signed by another root, or without a certificate', async () => {
  await learnFrom({}, [(await createMockPki(Math.floor(Date.now() / 1000))).rootPem]);
  expect(await known()).toEqual(UNKNOWN);
  await learnFrom({ info: (info) => (info.app_cert = '') });
  expect(await known()).toEqual(UNKNOWN);
});

it('is not learned from certificates that do not lead to the KMS root on record', async () => {
  // A host can make a certificate for a quote of its own OS, but not the KMS's signature.
  await learnFrom({
    info: (info) => (info.app_cert = /^-+BEGIN[^]+?-+END CERTIFICATE-+\n/.exec(String(info.app_cert))?.[0]),
  });
  expect(await known()).toEqual(UNKNOWN);
  await learnFrom({}, undefined, null);
  expect(await known()).toEqual(UNKNOWN);
});

it('is learned from verified evidence, which then counts as known', async () => {
  await learnFrom({});
  const learned = { os_image_hash: guest.os_image_hash, os_image_hash_source: 'evidence' };
  expect(await known()).toEqual(learned);
  const { body } = await admin.call('getCvmEvidence', { path: { cvm_id: cvm.vm_uuid } });
  expect((body as CvmEvidence).expected.os_images).toMatchObject([learned]);
  expect(await audits()).toMatchObject([{ action: 'os_image.learn_hash', after: { cvm: cvm.public_id } }]);
});

it("is not replaced by a host's report", async () => {
  const { db } = server.services;
  const image = { name: cvm.os_image, version: '0.6.0', is_dev: false };
  await syncImages(db, host.teepod.id, [{ ...image, os_image_hash: 'ee'.repeat(32) }]);
  expect(await known()).toMatchObject({ os_image_hash_source: 'evidence' });
});

it('is entered by an administrator, and unknown again when it is cleared', async () => {
  const entered = await enter(`0x${'AB'.repeat(32)}`);
  expect(entered.status).toBe(200);
  expect(await known()).toEqual({
    os_image_hash: 'ab'.repeat(32),
    os_image_hash_source: 'administrator',
  });
  await learnFrom({});
  expect(await known()).toMatchObject({ os_image_hash_source: 'administrator' });
  expect((await enter('short')).status).toBe(422);
  expect((await enter(null)).status).toBe(200);
  expect(await known()).toEqual(UNKNOWN);
});

describe('a hash that only a host reported', () => {
  const reported = 'ee'.repeat(32);
  const report = (os_image_hash: string, { teepod } = host, name = cvm.os_image) =>
    syncImages(server.services.db, teepod.id, [{ name, version: '0.6.0', is_dev: false, os_image_hash }]);
  const reference = async () => {
    const { body } = await admin.call('getCvmEvidence', { path: { cvm_id: cvm.vm_uuid } });
    return (body as CvmEvidence).expected.os_images.map(({ os_image_hash }) => os_image_hash);
  };
  const alerts = async () =>
    (await troublesOf(server.services.db)).filter(({ kind }) => kind === 'image_unconfirmed');
  const setDevice = (device_id: string | null) =>
    server.services.db.updateTable('nodes').set({ device_id }).execute();

  it('counts for nothing until an administrator confirms it', async () => {
    const device_id = 'd1'.repeat(32);
    await setDevice(device_id);
    const { body } = await admin.call('createAdminKmsWebhook', { path: { id: host.kms.id } });
    const { webhook_url } = body as { webhook_url: string };
    const bootOf = async (subject: 'app' | 'kms') => {
      const response = await fetch(`${webhook_url}/bootAuth/${subject}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          teeVariant: 'dstack-tdx',
          mrAggregated: 'ab'.repeat(32),
          osImageHash: reported,
          mrSystem: 'ef'.repeat(32),
          appId: guest.app_id,
          composeHash: guest.compose_hash,
          instanceId: '56'.repeat(20),
          deviceId: device_id,
          keyProviderInfo: '',
          tcbStatus: 'UpToDate',
          advisoryIds: [],
        }),
      });
      const { isAllowed, reason } = (await response.json()) as { isAllowed: boolean; reason: string };
      return isAllowed ? 'allowed' : reason;
    };
    await report(reported);
    const shown = await admin.call('getAdminOsImage', { path: { id: image_id } });
    expect(shown.body).toMatchObject({
      os_image_hash: null,
      os_image_hash_source: 'host',
      reported_hash: reported,
    });
    expect(await reference()).toEqual([]);
    expect(await bootOf('app')).toBe(
      "OS image is not allowed: the hash of this app's OS image is not known, or not confirmed",
    );
    expect(await bootOf('kms')).toBe('OS image is not allowed');
    expect(await alerts()).toMatchObject([
      { severity: 'critical', title: `The hash of the OS image ${cvm.os_image} isn’t confirmed` },
    ]);
    const entered = await enter(reported);
    expect(entered.body).toMatchObject({
      os_image_hash: reported,
      os_image_hash_source: 'administrator',
      reported_hash: null,
    });
    expect(await reference()).toEqual([reported]);
    expect(await bootOf('app')).toBe('allowed');
    expect(await bootOf('kms')).toBe('Aggregated MR not allowed');
    expect(await alerts()).toEqual([]);
    await enter(null);
    await setDevice(null);
  });

  it('is replaced by what verified evidence shows', async () => {
    await report(reported);
    await learnFrom({});
    expect(await known()).toEqual({
      os_image_hash: guest.os_image_hash,
      os_image_hash_source: 'evidence',
    });
  });

  it("doesn't bind the built-in teepod, whose own report counts", async () => {
    const local = await insertHost(server.services.db, { name: 'built-in', kind: 'local' });
    const own = 'bb'.repeat(32);
    await report(reported, host, 'shared');
    await report(own, local, 'shared');
    await report(reported, host, 'shared');
    expect(await reference()).toContain(own);
    expect(await reference()).not.toContain(reported);
  });
});

const audits = () =>
  server.services.db
    .selectFrom('audit_log')
    .select(['action', 'after'])
    .where('target_kind', '=', 'os_image')
    .where('action', '=', 'os_image.learn_hash')
    .execute();
