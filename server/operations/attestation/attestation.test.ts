import * as sdk from '@phala/cloud';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { policyFrom, DEFAULT_CHOICES } from '../../../console/lib/attestation/expected';
import { checkCertificates } from '../../../console/lib/attestation/raTls';
import { mockCollateral } from '../../../console/lib/attestation/testing/mockEvidence';
import { createMockPki, type MockPki } from '../../../console/lib/attestation/testing/mockPki';
import type { Report } from '../../../console/lib/attestation/types';
import { verifyEvidence } from '../../../console/lib/attestation/verify';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { identityOf, insertHost, insertToken, type TestApp, type TestHost } from '../../testing/cvmFixtures';
import { runningCvm } from '../../testing/hostedCvm';
import { startFakePccs, type FakePccs } from '../../testing/pccs';
import { type GuestEdits, raTlsGuest, type RaTlsGuest } from '../../testing/raTlsGuest';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const NOW = Math.floor(Date.now() / 1000);
let server: TestServer;
let vmm: FakeVmm;
let pccs: FakePccs;
let pki: MockPki;
let member: TestClient;
let stranger: TestClient;
let who: { team_id: number; user_id: number };
let host: TestHost;
let app: TestApp;
let cvm: CvmRow;
/** The guest's current answers. */
let guest: RaTlsGuest;

/** Replaces the host's guest with this one and updates the records to match. */
async function useGuest(edits: GuestEdits = {}): Promise<void> {
  const { db } = server.services;
  guest = await raTlsGuest(pki, edits);
  const { compose_hash, app_compose, app_id, instance_id } = guest;
  await db
    .updateTable('revisions')
    .set({ compose_hash, app_compose })
    .where('id', '=', app.revision.id)
    .execute();
  await db.updateTable('apps').set({ app_id }).where('id', '=', app.app.id).execute();
  await db
    .updateTable('cvms')
    .set({ instance_id, public_tcbinfo: !edits.silent })
    .where('id', '=', cvm.id)
    .execute();
  await db.updateTable('kms').set({ ca_pubkey: guest.ca_pubkey }).where('id', '=', host.kms.id).execute();
}

const getEvidence = async (): Promise<CvmEvidence> => {
  const answer = await member.call('getCvmEvidence', { path: { cvm_id: cvm.vm_uuid } });
  expect(answer.status).toBe(200);
  return answer.body as CvmEvidence;
};

/** Verifies the answer as a browser does, with the mock PKI's root in place of Intel's. */
async function verify(answer: CvmEvidence): Promise<Report> {
  const { key_provider_ids } = answer.expected;
  const { report_data } = await checkCertificates(answer.certificate_chain ?? '', {
    now: NOW,
    key_provider_ids,
  });
  return verifyEvidence(answer.evidence ?? {}, {
    now: NOW,
    policy: policyFrom(answer.expected, DEFAULT_CHOICES, report_data),
    roots: [pki.rootPem],
  });
}
const failed = ({ checks }: Report) => checks.filter(({ state }) => state === 'failed').map(({ id }) => id);

beforeAll(async () => {
  pki = await createMockPki(NOW);
  vmm = await startFakeVmm();
  pccs = await startFakePccs(await mockCollateral(pki));
  server = await startTestServer({ env: { PCCS_URL: pccs.url, TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  stranger = await server.register();
  who = await identityOf(db, member.email!);
  host = await insertHost(db, { name: 'tdx-1', url: vmm.url, kind: 'dstack_vmm' });
  ({ app, cvm } = await runningCvm(server.services, { host, ...who, name: 'proved' }));
  await useGuest();
  await db
    .updateTable('os_images')
    .set({ os_image_hash: guest.os_image_hash })
    .where('name', '=', cvm.os_image)
    .execute();
  vmm.on('/guest/Info', (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(guest.info)),
  );
});
afterAll(async () => {
  await server?.stop();
  await pccs?.close();
  await vmm?.close();
});
afterEach(async () => {
  const { db } = server.services;
  pccs.instead(null);
  await db.deleteFrom('collateral').execute();
  await db.updateTable('cvms').set({ status: 'running' }).where('id', '=', cvm.id).execute();
  await useGuest();
});

describe('CVM evidence', () => {
  it.each<[string, GuestEdits]>([
    ['a current guest, whose certificate omits the boot events', {}],
    ['a guest with the full event log in its certificate', { stripped: false }],
    [
      'a guest with the previous encoding',
      { form: 'scale', events: (all) => all.map(({ version: _, ...event }) => event) },
    ],
  ])('is verified for %s', async (_, edits) => {
    await useGuest(edits);
    const answer = await getEvidence();
    expect(answer).toMatchObject({
      trust: 'unknown',
      is_online: true,
      error: null,
      source: 'guest',
      collateral_error: null,
      expected: { key_provider_ids: [guest.ca_pubkey], os_image: 'dstack-0.6.0' },
    });
    const report = await verify(answer);
    expect(failed(report)).toEqual([]);
    expect(report.state).toBe('verified');
    expect(report.checks.find(({ id }) => id === 'report_data')?.state).toBe('passed');
    const chain = await checkCertificates(answer.certificate_chain ?? '', {
      now: NOW,
      key_provider_ids: answer.expected.key_provider_ids,
    });
    expect(chain.checks.map(({ state }) => state)).toEqual(['passed', 'passed']);
    expect(answer.app_certificates?.[0]).toMatchObject({
      subject: { common_name: 'mock app' },
      app_id: guest.app_id,
      cert_usage: 'app:custom',
      position_in_chain: 0,
    });
  });

  it('from a 0.5 guest has a quote and the full log, but an unknown OS image', async () => {
    await useGuest({ form: 'classic' });
    const report = await verify(await getEvidence());
    expect(report.state).toBe('unknown');
    expect(failed(report)).toEqual([]);
    for (const id of ['quote.signature', 'tcb.status', 'rtmr.boot', 'rtmr3', 'compose.hash'])
      expect(report.checks.find((check) => check.id === id)?.state, id).toBe('passed');
  });

  it('with private measurements is verified with the compose from the server', async () => {
    await useGuest({ silent: true });
    const answer = await getEvidence();
    expect(answer).toMatchObject({ is_public: false, error: expect.stringContaining('public_tcbinfo') });
    expect((await verify(answer)).state).toBe('verified');
  });

  it.each<[string, GuestEdits, string]>([
    [
      'a compose that differs from the measured one',
      { info: (info) => (info.tcb_info = String(info.tcb_info).replace('nginx', 'nginy')) },
      'compose.hash',
    ],
    [
      'an event that was not measured',
      {
        info: (info) =>
          (info.tcb_info = String(info.tcb_info).replace(
            /"imr":0,"event_type":(\d+),"digest":"../,
            '"imr":0,"event_type":$1,"digest":"00',
          )),
      },
      'rtmr.boot',
    ],
    [
      'a quote for another certificate',
      { measured: (measured) => (measured.reportData = new Uint8Array(64)) },
      'report_data',
    ],
    [
      'measurements that differ from its quote',
      {
        info: (info) => (info.tcb_info = String(info.tcb_info).replace(/"mrtd":"../, '"mrtd":"00')),
      },
      'claims',
    ],
    ['a debuggable TD', { body: (body) => void (body[120] = 1) }, 'td.attributes'],
  ])('is not verified with %s', async (_, edits, check) => {
    await useGuest(edits);
    const report = await verify(await getEvidence());
    expect(report.state).toBe('not verified');
    expect(failed(report)).toContain(check);
  });

  it('is not verified when the app or OS image differs from the records', async () => {
    const { db } = server.services;
    await db
      .updateTable('revisions')
      .set({ compose_hash: '0'.repeat(64) })
      .where('id', '=', app.revision.id)
      .execute();
    expect(failed(await verify(await getEvidence()))).toContain('compose.expected');
    await useGuest();
    await db.updateTable('os_images').set({ is_dev: true }).where('name', '=', cvm.os_image).execute();
    try {
      expect(failed(await verify(await getEvidence()))).toContain('os.known');
    } finally {
      await db.updateTable('os_images').set({ is_dev: false }).where('name', '=', cvm.os_image).execute();
    }
  });

  it('is verified with exceptions without a pinned KMS root', async () => {
    await server.services.db
      .updateTable('kms')
      .set({ ca_pubkey: null })
      .where('id', '=', host.kms.id)
      .execute();
    const answer = await getEvidence();
    expect(answer.expected.key_provider_ids).toEqual([]);
    expect((await verify(answer)).state).toBe('verified with exceptions');
  });

  it('reports a guest without a quote', async () => {
    await useGuest({ info: (info) => (info.app_cert = '') });
    const answer = await getEvidence();
    expect(answer).toMatchObject({ app_certificates: null, error: expect.stringContaining('no quote') });
    expect((await verify(answer)).state).toBe('unknown');
  });

  it('tolerates malformed guest answers', async () => {
    const broken = [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'x'.repeat(1000),
      String(guest.info.app_cert).slice(0, 2000),
    ];
    for (const app_cert of broken)
      for (const tcb_info of ['{', '[]', '{"event_log":5,"app_compose":7}', '{"event_log":[null,1]}']) {
        await useGuest({ info: (info) => Object.assign(info, { app_cert, tcb_info }) });
        expect((await verify(await getEvidence())).state).not.toMatch(/^verified/);
      }
  });
});

describe('evidence of an unreachable CVM', () => {
  it('is the last one collected, with its time and collateral', async () => {
    const before = await getEvidence();
    await server.services.db
      .updateTable('cvms')
      .set({ status: 'stopped' })
      .where('id', '=', cvm.id)
      .execute();
    const answer = await getEvidence();
    expect(answer).toMatchObject({ is_online: false, source: 'kept', error: 'The CVM is stopped.' });
    expect(answer.evidence).toEqual(before.evidence);
    expect(answer.certificate_chain).toBe(before.certificate_chain);
    expect(Date.parse(answer.collected_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('is empty, with a reason, if none was collected', async () => {
    const fresh = await runningCvm(server.services, { host, ...who, name: 'silent' });
    await server.services.db
      .updateTable('cvms')
      .set({ status: 'stopped' })
      .where('id', '=', fresh.cvm.id)
      .execute();
    const { body } = await member.call('getCvmEvidence', { path: { cvm_id: fresh.cvm.vm_uuid } });
    expect(body).toMatchObject({
      source: null,
      evidence: null,
      collected_at: null,
      error: 'The CVM is stopped.',
    });
  });

  it('is stored once if unchanged, and limited to the last ten', async () => {
    const { db } = server.services;
    await db.deleteFrom('evidence').execute();
    await getEvidence();
    await getEvidence();
    const count = async () =>
      (await db.selectFrom('evidence').select('id').where('cvm_id', '=', cvm.id).execute()).length;
    expect(await count()).toBe(1);
    for (let i = 0; i < 12; i++) {
      guest.info.device_id = i.toString(16).padStart(64, '0');
      await getEvidence();
    }
    expect(await count()).toBe(10);
  });
});

describe('collateral', () => {
  it('is fetched once a day and cached in the database', async () => {
    await getEvidence();
    const requestCount = pccs.requests.length;
    expect((await getEvidence()).evidence?.collateral).toBeDefined();
    expect(pccs.requests).toHaveLength(requestCount);
  });

  it('is used while valid when the service is down', async () => {
    const { db } = server.services;
    await getEvidence();
    await db
      .updateTable('collateral')
      .set({ fetched_at: new Date(Date.now() - 25 * 3_600_000) })
      .execute();
    pccs.instead((_, response) => response.writeHead(503).end());
    const answer = await getEvidence();
    expect(answer.collateral_error).toContain('still valid');
    expect((await verify(answer)).state).toBe('verified');
    await db
      .updateTable('collateral')
      .set({ next_update: new Date(Date.now() - 1000) })
      .execute();
    expect((await getEvidence()).evidence?.collateral).toBeUndefined();
  });

  it('that is unavailable leaves the evidence unknown, with a reason', async () => {
    // Uses another chip, since a failure is cached briefly.
    const other = await createMockPki(NOW, {
      ...(await import('../../../console/lib/attestation/testing/mockPki')).PLATFORM,
      fmspc: Uint8Array.of(9, 9, 9, 9, 9, 9),
    });
    const originalPki = pki;
    pki = other;
    try {
      await useGuest();
      pccs.instead((_, response) => response.writeHead(404).end());
      const answer = await getEvidence();
      expect(answer.collateral_error).toMatch(/has no .* for this platform/);
      const report = await verify(answer);
      expect(report.state).toBe('unknown');
      const requestCount = pccs.requests.length;
      await getEvidence();
      expect(pccs.requests).toHaveLength(requestCount);
    } finally {
      pki = originalPki;
    }
  });
});

describe('access to evidence', () => {
  it('is denied to other teams, for unknown IDs and without authentication', async () => {
    for (const [client, cvm_id] of [
      [stranger, cvm.vm_uuid],
      [member, '00000000-0000-4000-8000-000000000000'],
    ] as const)
      expect((await client.call('getCvmEvidence', { path: { cvm_id } })).status).toBe(404);
    expect((await stranger.call('getAppAttestations', { path: { app_id: guest.app_id } })).status).toBe(404);
    expect((await member.call('getAppAttestations', { path: { app_id: 'f'.repeat(40) } })).status).toBe(404);
    expect((await server.anonymous.call('getCvmEvidence', { path: { cvm_id: cvm.vm_uuid } })).status).toBe(
      401,
    );
  });
});

describe('app attestations', () => {
  const client = (token: string) =>
    sdk.createClient({
      baseURL: `${server.url}/api/v1`,
      apiKey: token,
      version: '2026-01-21',
    } as never) as never;

  it('match the schema of the published SDK', async () => {
    const token = await insertToken(server.services.db, who);
    const answer = await sdk.getAppAttestation(client(token), { appId: guest.app_id });
    expect(answer).toMatchObject({
      app_id: guest.app_id,
      contract_address: '',
      qemu_version: '8.2.2',
      kms_info: { kms_type: 'phala', chain_id: null },
      instances: [{ vm_uuid: cvm.vm_uuid, quote: guest.evidence.quote, error: null, status: 'running' }],
    });
    expect(answer.instances[0]?.app_certificates).toHaveLength(3);
    expect(answer.instances[0]?.tcb_info?.app_compose).toBe(guest.app_compose);
  });

  it('give the reason when an instance has none', async () => {
    await server.services.db
      .updateTable('cvms')
      .set({ status: 'stopped' })
      .where('id', '=', cvm.id)
      .execute();
    const { body } = await member.call('getAppAttestations', { path: { app_id: guest.app_id } });
    expect(body).toMatchObject({
      instances: [{ quote: null, tcb_info: null, app_certificates: null, error: 'The CVM is stopped.' }],
    });
  });
});
